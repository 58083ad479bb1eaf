import { LIMIT, parseMoney, type Money } from './money.ts';

/** The columns of a spreadsheet of balance operations. */
export const OPERATION_FIELDS = ['account', 'amount', 'comment'] as const;
export type OperationField = (typeof OPERATION_FIELDS)[number];

/** Why a row of a bulk operation is not entered. */
export const OPERATION_REASONS = [
  'no_account',
  'unknown_account',
  'ambiguous_account',
  'own_account',
  'formula',
  'amount',
  'ambiguous_amount',
  'decimals',
  'zero',
  'too_big',
  'long_comment',
  'insufficient_funds',
  'currency_changed',
  'forbidden',
  'stopped',
] as const;
export type OperationReason = (typeof OPERATION_REASONS)[number];

/** Headers in the languages of the cabinet, without case, punctuation and diacritics. */
const HEADERS: Record<OperationField, string> = {
  account:
    'account,account id,accountid,ownerid,owner id,owner,user,userid,user id,username,user name,login,customer,client,email,e mail,mail,id,' +
    'аккаунт,id аккаунта,пользователь,имя пользователя,логин,клиент,почта,эл почта,электронная почта,' +
    'cuenta,id de cuenta,usuario,nombre de usuario,cliente,correo,correo electronico,conta,id da conta,utilizador,usuario,' +
    'compte,id du compte,utilisateur,nom d utilisateur,konto,konto id,kontoid,benutzer,benutzername,kunde,utente,nome utente,id account',
  amount:
    'amount,sum,total,value,сумма,amount rub,сумма руб,сумма р,importe,monto,cantidad,suma,valor,montante,quantia,montant,somme,betrag,summe,importo,somma',
  comment:
    'comment,comments,note,notes,remark,description,reason,комментарий,комментарии,примечание,назначение,причина,описание,' +
    'comentario,comentarios,nota,notas,motivo,observacao,commentaire,remarque,motif,kommentar,bemerkung,anmerkung,notiz,grund,commento,causale',
};

const FIELDS = new Map(
  OPERATION_FIELDS.flatMap((field) => HEADERS[field].split(',').map((name) => [name, field])),
);

/** Longer cells are no headers. */
const MAX_HEADER_LENGTH = 40;

/** The field that a header names: `operationField('Сумма, руб.')` is `amount`. */
export function operationField(header: string): OperationField | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  const name = header
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return FIELDS.get(name) ?? KEPT_MARKS.get(header.trim().toLowerCase()) ?? null;
}

/** `й` and `ё` lose their marks above. */
const KEPT_MARKS = new Map(
  [...FIELDS].filter(([name]) => /[йё]/.test(name)).map(([name, field]) => [name, field]),
);

/** The amount of a cell that is longer is refused before it is parsed. */
const MAX_AMOUNT_LENGTH = 40;
const SPACED = /^\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d+)?$/;
const COMMAS = /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;
const DOTS = /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const PLAIN = /^\d+(?:[.,]\d+)?$/;
/** 1,234 is a thousand in one country and a fraction in another. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * A signed amount as spreadsheets of different countries write it: `-1 234,56`, `1,234.56` and `−5` are understood. What could
 * be meant in two ways is refused, not guessed. `max` is the largest absolute amount.
 */
export function parseOperationAmount(cell: string, max: Money): Money | OperationReason {
  const text = cell.trim();
  if (text.length > MAX_AMOUNT_LENGTH) return 'amount';
  const isNegative = /^[-−–]/.test(text);
  const digits = text.replace(/^[-−–+]\s?/, '');
  if (AMBIGUOUS.test(digits)) return 'ambiguous_amount';
  const plain = PLAIN.test(digits) ? digits.replace(',', '.') : withoutGroups(digits);
  if (plain === null) return 'amount';
  if (!/^\d{0,4}0*$/.test(plain.split('.')[1] ?? '')) return 'decimals';
  let amount: Money;
  try {
    amount = parseMoney(plain);
  } catch {
    return 'too_big';
  }
  if (amount > max) return 'too_big';
  if (amount === 0n) return 'zero';
  return isNegative ? -amount : amount;
}

function withoutGroups(digits: string): string | null {
  if (SPACED.test(digits)) return digits.replace(/[^\d.,]/g, '').replace(',', '.');
  if (COMMAS.test(digits)) return digits.replaceAll(',', '');
  if (DOTS.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  return null;
}

interface Entry {
  OwnerId: string;
  amount: Money;
}

/**
 * Which of several entries the balances cover, in their order: an entry that is not covered, or would take the balance beyond what
 * a column holds, is left out, and those after it are tried without it. `available` is changed to what remains.
 */
export function coveredEntries<E extends Entry>(
  entries: readonly E[],
  available: Map<string, Money>,
): Set<E> {
  const covered = new Set<E>();
  for (const entry of entries) {
    const left = available.get(entry.OwnerId);
    if (left === undefined) continue;
    const after = left + entry.amount;
    if (entry.amount < 0n ? after < 0n : after >= LIMIT) continue;
    available.set(entry.OwnerId, after);
    covered.add(entry);
  }
  return covered;
}

/** Why an entry is left out by `coveredEntries`. */
export const uncoveredReason = (amount: Money): OperationReason =>
  amount < 0n ? 'insufficient_funds' : 'too_big';
