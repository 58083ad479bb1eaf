import type { OperationReason } from './bulk-operations.ts';
import type { Locale } from './locales.ts';

type Outcome = 'applied' | 'refused' | 'cancelled';

interface Words {
  headers: [
    row: string,
    account: string,
    username: string,
    amount: string,
    currency: string,
    comment: string,
    outcome: string,
    reason: string,
  ];
  outcomes: Record<Outcome, string>;
  reasons: Record<OperationReason, string>;
}

const WORDS: Record<Locale, Words> = {
  ru: {
    headers: [
      'Строка',
      'Аккаунт в файле',
      'Имя пользователя',
      'Сумма',
      'Валюта',
      'Комментарий',
      'Результат',
      'Причина',
    ],
    outcomes: { applied: 'Проведено', refused: 'Отклонено', cancelled: 'Отменено' },
    reasons: {
      no_account: 'Аккаунт не указан',
      unknown_account: 'Среди ваших клиентов нет такого аккаунта',
      ambiguous_account: 'Подходят несколько аккаунтов, укажите ID',
      own_account: 'Это ваш собственный аккаунт',
      formula: 'В ячейке формула, замените её значением',
      amount: 'Сумма не является числом',
      ambiguous_amount:
        'Непонятно, где дробная часть: уберите разделители тысяч или укажите два знака после запятой',
      decimals: 'Больше четырёх знаков после запятой',
      zero: 'Сумма равна нулю',
      too_big: 'Слишком большая сумма',
      long_comment: 'Комментарий длиннее 500 символов',
      insufficient_funds: 'Недостаточно средств на балансе',
      currency_changed: 'Валюта аккаунта изменилась после проверки',
      forbidden: 'Нет прав на изменение балансов',
      stopped: 'Задача остановлена',
    },
  },
  en: {
    headers: [
      'Row',
      'Account in the file',
      'Username',
      'Amount',
      'Currency',
      'Comment',
      'Outcome',
      'Reason',
    ],
    outcomes: { applied: 'Entered', refused: 'Refused', cancelled: 'Cancelled' },
    reasons: {
      no_account: 'The account is missing',
      unknown_account: 'You have no customer with this account',
      ambiguous_account: 'Several accounts match; use the ID',
      own_account: 'This is your own account',
      formula: 'The cell has a formula; replace it with its value',
      amount: 'The amount is not a number',
      ambiguous_amount:
        'The decimals are ambiguous: remove thousands separators or write two decimals',
      decimals: 'More than four decimals',
      zero: 'The amount is zero',
      too_big: 'The amount is too large',
      long_comment: 'The comment is longer than 500 characters',
      insufficient_funds: 'The balance does not cover it',
      currency_changed: 'The currency of the account has changed since the check',
      forbidden: 'You may no longer change balances',
      stopped: 'The task was stopped',
    },
  },
  es: {
    headers: [
      'Fila',
      'Cuenta en el archivo',
      'Nombre de usuario',
      'Importe',
      'Moneda',
      'Comentario',
      'Resultado',
      'Motivo',
    ],
    outcomes: { applied: 'Registrada', refused: 'Rechazada', cancelled: 'Cancelada' },
    reasons: {
      no_account: 'Falta la cuenta',
      unknown_account: 'No tiene ningún cliente con esta cuenta',
      ambiguous_account: 'Coinciden varias cuentas; indique el ID',
      own_account: 'Es su propia cuenta',
      formula: 'La celda contiene una fórmula; sustitúyala por su valor',
      amount: 'El importe no es un número',
      ambiguous_amount:
        'Los decimales son ambiguos: quite los separadores de miles o escriba dos decimales',
      decimals: 'Más de cuatro decimales',
      zero: 'El importe es cero',
      too_big: 'El importe es demasiado grande',
      long_comment: 'El comentario supera los 500 caracteres',
      insufficient_funds: 'El saldo no es suficiente',
      currency_changed: 'La moneda de la cuenta ha cambiado desde la comprobación',
      forbidden: 'Ya no puede cambiar saldos',
      stopped: 'La tarea se detuvo',
    },
  },
  pt: {
    headers: [
      'Linha',
      'Conta no arquivo',
      'Nome de usuário',
      'Valor',
      'Moeda',
      'Comentário',
      'Resultado',
      'Motivo',
    ],
    outcomes: { applied: 'Lançada', refused: 'Recusada', cancelled: 'Cancelada' },
    reasons: {
      no_account: 'Falta a conta',
      unknown_account: 'Você não tem nenhum cliente com esta conta',
      ambiguous_account: 'Várias contas correspondem; indique o ID',
      own_account: 'É a sua própria conta',
      formula: 'A célula contém uma fórmula; substitua-a pelo valor',
      amount: 'O valor não é um número',
      ambiguous_amount:
        'As casas decimais são ambíguas: remova os separadores de milhar ou escreva duas casas',
      decimals: 'Mais de quatro casas decimais',
      zero: 'O valor é zero',
      too_big: 'O valor é grande demais',
      long_comment: 'O comentário tem mais de 500 caracteres',
      insufficient_funds: 'O saldo não é suficiente',
      currency_changed: 'A moeda da conta mudou desde a verificação',
      forbidden: 'Você não pode mais alterar saldos',
      stopped: 'A tarefa foi interrompida',
    },
  },
  fr: {
    headers: [
      'Ligne',
      'Compte dans le fichier',
      'Nom d’utilisateur',
      'Montant',
      'Devise',
      'Commentaire',
      'Résultat',
      'Motif',
    ],
    outcomes: { applied: 'Enregistrée', refused: 'Refusée', cancelled: 'Annulée' },
    reasons: {
      no_account: 'Le compte manque',
      unknown_account: 'Aucun de vos clients n’a ce compte',
      ambiguous_account: 'Plusieurs comptes correspondent ; indiquez l’ID',
      own_account: 'C’est votre propre compte',
      formula: 'La cellule contient une formule ; remplacez-la par sa valeur',
      amount: 'Le montant n’est pas un nombre',
      ambiguous_amount:
        'Les décimales sont ambiguës : retirez les séparateurs de milliers ou écrivez deux décimales',
      decimals: 'Plus de quatre décimales',
      zero: 'Le montant est nul',
      too_big: 'Le montant est trop élevé',
      long_comment: 'Le commentaire dépasse 500 caractères',
      insufficient_funds: 'Le solde est insuffisant',
      currency_changed: 'La devise du compte a changé depuis la vérification',
      forbidden: 'Vous ne pouvez plus modifier les soldes',
      stopped: 'La tâche a été arrêtée',
    },
  },
  de: {
    headers: [
      'Zeile',
      'Konto in der Datei',
      'Benutzername',
      'Betrag',
      'Währung',
      'Kommentar',
      'Ergebnis',
      'Grund',
    ],
    outcomes: { applied: 'Gebucht', refused: 'Abgelehnt', cancelled: 'Abgebrochen' },
    reasons: {
      no_account: 'Das Konto fehlt',
      unknown_account: 'Keiner Ihrer Kunden hat dieses Konto',
      ambiguous_account: 'Mehrere Konten passen; geben Sie die ID an',
      own_account: 'Das ist Ihr eigenes Konto',
      formula: 'Die Zelle enthält eine Formel; ersetzen Sie sie durch den Wert',
      amount: 'Der Betrag ist keine Zahl',
      ambiguous_amount:
        'Die Nachkommastellen sind nicht eindeutig: Entfernen Sie Tausendertrennzeichen oder geben Sie zwei Stellen an',
      decimals: 'Mehr als vier Nachkommastellen',
      zero: 'Der Betrag ist null',
      too_big: 'Der Betrag ist zu groß',
      long_comment: 'Der Kommentar ist länger als 500 Zeichen',
      insufficient_funds: 'Das Guthaben reicht nicht aus',
      currency_changed: 'Die Währung des Kontos hat sich seit der Prüfung geändert',
      forbidden: 'Sie dürfen keine Guthaben mehr ändern',
      stopped: 'Die Aufgabe wurde gestoppt',
    },
  },
  it: {
    headers: [
      'Riga',
      'Account nel file',
      'Nome utente',
      'Importo',
      'Valuta',
      'Commento',
      'Esito',
      'Motivo',
    ],
    outcomes: { applied: 'Registrata', refused: 'Rifiutata', cancelled: 'Annullata' },
    reasons: {
      no_account: 'Manca l’account',
      unknown_account: 'Nessun tuo cliente ha questo account',
      ambiguous_account: 'Corrispondono più account; indica l’ID',
      own_account: 'È il tuo account',
      formula: 'La cella contiene una formula; sostituiscila con il valore',
      amount: 'L’importo non è un numero',
      ambiguous_amount:
        'I decimali sono ambigui: togli i separatori delle migliaia o scrivi due decimali',
      decimals: 'Più di quattro decimali',
      zero: 'L’importo è zero',
      too_big: 'L’importo è troppo grande',
      long_comment: 'Il commento supera i 500 caratteri',
      insufficient_funds: 'Il saldo non è sufficiente',
      currency_changed: 'La valuta dell’account è cambiata dopo la verifica',
      forbidden: 'Non puoi più modificare i saldi',
      stopped: 'L’attività è stata interrotta',
    },
  },
};

export const operationReason = (locale: Locale, reason: OperationReason): string =>
  WORDS[locale].reasons[reason];

export const operationOutcome = (locale: Locale, outcome: Outcome): string =>
  WORDS[locale].outcomes[outcome];

/** The columns of the report of a bulk operation, in its order. */
export const operationReportHeaders = (locale: Locale): readonly string[] => WORDS[locale].headers;
