import type { EmailMessage } from './recovery-email.ts';
import type { Locale } from './locales.ts';

interface ConfirmationTexts {
  subject: string;
  request: string;
  label: string;
  lifetime: string;
  ignore: string;
}
interface AddressChangeTexts {
  subject: string;
  request: string;
  effect: string;
  advice: string;
  label: string;
  support: string;
}

/** `{title}` is the name of the product, `{address}` the new address, `{hours}` the lifetime of the link. */
const CONFIRMATION: Record<Locale, ConfirmationTexts> = {
  ru: {
    subject: 'Подтвердите e-mail: {title}',
    request:
      'Для логина {username} указан адрес {address}. Чтобы подтвердить его, откройте ссылку:',
    label: 'Подтвердить e-mail',
    lifetime:
      'Ссылка действует {hours} ч и срабатывает один раз. Если запросить письмо ещё раз, подойдёт только последнее.',
    ignore: 'Если это были не вы, не обращайте внимания на это письмо: адрес не будет использован.',
  },
  en: {
    subject: 'Confirm your e-mail: {title}',
    request:
      'The address {address} was entered for the login {username}. Open this link to confirm it:',
    label: 'Confirm e-mail',
    lifetime:
      'The link works once, for {hours} hours. If you request another e-mail, only the latest link works.',
    ignore: 'If this was not you, ignore this e-mail: the address will not be used.',
  },
  es: {
    subject: 'Confirme su correo: {title}',
    request:
      'Se ha indicado la dirección {address} para el usuario {username}. Para confirmarla, abra este enlace:',
    label: 'Confirmar el correo',
    lifetime:
      'El enlace funciona durante {hours} horas y una sola vez. Si solicita otro mensaje, solo valdrá el último.',
    ignore: 'Si no ha sido usted, ignore este mensaje: la dirección no se utilizará.',
  },
  pt: {
    subject: 'Confirme seu e-mail: {title}',
    request:
      'O endereço {address} foi informado para o login {username}. Para confirmá-lo, abra este link:',
    label: 'Confirmar o e-mail',
    lifetime:
      'O link funciona por {hours} horas e apenas uma vez. Se você pedir outra mensagem, só a última valerá.',
    ignore: 'Se não foi você, ignore esta mensagem: o endereço não será usado.',
  },
  fr: {
    subject: 'Confirmez votre e-mail : {title}',
    request:
      'L’adresse {address} a été indiquée pour l’identifiant {username}. Pour la confirmer, ouvrez ce lien :',
    label: 'Confirmer l’e-mail',
    lifetime:
      'Le lien fonctionne pendant {hours} heures et une seule fois. Si vous demandez un autre message, seul le dernier sera valable.',
    ignore: 'Si ce n’était pas vous, ignorez ce message : l’adresse ne sera pas utilisée.',
  },
  de: {
    subject: 'E-Mail-Adresse bestätigen: {title}',
    request:
      'Für den Benutzernamen {username} wurde die Adresse {address} angegeben. Öffnen Sie diesen Link, um sie zu bestätigen:',
    label: 'E-Mail-Adresse bestätigen',
    lifetime:
      'Der Link gilt {hours} Stunden und nur einmal. Wenn Sie eine weitere Nachricht anfordern, gilt nur die letzte.',
    ignore:
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Die Adresse wird nicht verwendet.',
  },
  it: {
    subject: 'Conferma l’e-mail: {title}',
    request:
      'L’indirizzo {address} è stato indicato per il nome utente {username}. Per confermarlo, apri questo link:',
    label: 'Conferma l’e-mail',
    lifetime:
      'Il link funziona una sola volta, per {hours} ore. Se richiedi un altro messaggio, vale solo l’ultimo.',
    ignore: 'Se non sei stato tu, ignora questo messaggio: l’indirizzo non verrà usato.',
  },
};

/** `{by}` and `{ip}` are the username and the IP address of the requester, `{address}` is the masked new address. */
const ADDRESS_CHANGE: Record<Locale, AddressChangeTexts> = {
  ru: {
    subject: 'Меняется e-mail: {title}',
    request: 'Для логина {username} запрошен новый адрес: {address}. Запросил: {by}, IP {ip}.',
    effect: 'Новый адрес начнёт действовать, когда его подтвердят по ссылке из письма.',
    advice:
      'Если это сделали не вы, сразу задайте новый пароль: смена адреса отменится, все сеансы завершатся.',
    label: 'Задать новый пароль',
    support:
      'Если адрес уже сменился и письмо для нового пароля не приходит, обратитесь в поддержку.',
  },
  en: {
    subject: 'Your e-mail is being changed: {title}',
    request:
      'A new address was requested for the login {username}: {address}. Requested by {by} from {ip}.',
    effect: 'It takes effect once it is confirmed with the link sent to it.',
    advice:
      'If this was not you, choose a new password now: this cancels the change and ends all sessions.',
    label: 'Choose a new password',
    support:
      'If the address has already changed and no email for a new password arrives, contact support.',
  },
  es: {
    subject: 'Cambio de correo: {title}',
    request:
      'Se ha solicitado una dirección nueva para el usuario {username}: {address}. Solicitado por {by} desde {ip}.',
    effect: 'Se aplicará cuando se confirme con el enlace del mensaje enviado a esa dirección.',
    advice:
      'Si no ha sido usted, elija ahora una contraseña nueva: se anulará el cambio y se cerrarán todas las sesiones.',
    label: 'Elegir una contraseña nueva',
    support:
      'Si la dirección ya ha cambiado y no llega el mensaje para la contraseña nueva, contacte con soporte.',
  },
  pt: {
    subject: 'Seu e-mail está sendo alterado: {title}',
    request:
      'Um novo endereço foi solicitado para o login {username}: {address}. Solicitado por {by} a partir de {ip}.',
    effect: 'Ele passa a valer quando for confirmado pelo link da mensagem enviada a ele.',
    advice:
      'Se não foi você, defina uma nova senha agora: a alteração será cancelada e todas as sessões serão encerradas.',
    label: 'Definir uma nova senha',
    support: 'Se o endereço já mudou e a mensagem para a nova senha não chega, fale com o suporte.',
  },
  fr: {
    subject: 'Changement d’e-mail : {title}',
    request:
      'Une nouvelle adresse a été demandée pour l’identifiant {username} : {address}. Demande de {by} depuis {ip}.',
    effect: 'Elle prendra effet une fois confirmée par le lien du message qui lui est envoyé.',
    advice:
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : le changement sera annulé et toutes les sessions fermées.',
    label: 'Choisir un nouveau mot de passe',
    support:
      'Si l’adresse a déjà changé et qu’aucun message pour un nouveau mot de passe n’arrive, contactez l’assistance.',
  },
  de: {
    subject: 'Ihre E-Mail-Adresse wird geändert: {title}',
    request:
      'Für den Benutzernamen {username} wurde eine neue Adresse angefordert: {address}. Angefordert von {by}, IP {ip}.',
    effect: 'Sie gilt, sobald sie über den Link in einer Nachricht an sie bestätigt wird.',
    advice:
      'Wenn Sie das nicht waren, legen Sie jetzt ein neues Passwort fest: Die Änderung wird verworfen, alle Sitzungen werden beendet.',
    label: 'Neues Passwort festlegen',
    support:
      'Wenn die Adresse schon geändert ist und keine Nachricht für ein neues Passwort kommt, wenden Sie sich an den Support.',
  },
  it: {
    subject: 'Modifica dell’e-mail: {title}',
    request:
      'È stato richiesto un nuovo indirizzo per il nome utente {username}: {address}. Richiesto da {by}, IP {ip}.',
    effect:
      'Avrà effetto quando sarà confermato con il link del messaggio inviato a quell’indirizzo.',
    advice:
      'Se non sei stato tu, scegli subito una nuova password: la modifica verrà annullata e tutte le sessioni chiuse.',
    label: 'Scegli una nuova password',
    support:
      'Se l’indirizzo è già cambiato e non arriva il messaggio per la nuova password, contatta l’assistenza.',
  },
};

interface AddressEmailData {
  title: string;
  username: string;
  address: string;
  url: string;
}

const fillWith = (values: object) => (text: string) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String((values as Record<string, unknown>)[name]),
  );

/** The e-mail to a new address with the link to confirm it. */
export function confirmationEmail(
  locale: Locale,
  { url, ...data }: AddressEmailData & { hours: number },
): EmailMessage {
  const fill = fillWith(data);
  const { subject, request, label, lifetime, ignore } = CONFIRMATION[locale];
  return {
    locale,
    subject: fill(subject),
    before: [fill(request)],
    link: { label, url },
    after: [fill(lifetime), ignore],
  };
}

/** The warning to the previous address about a requested change, with a link to set a new password. */
export function addressChangeEmail(
  locale: Locale,
  { url, address, ...data }: AddressEmailData & { by: string; ip: string },
): EmailMessage {
  const fill = fillWith({ ...data, address: maskEmail(address) });
  const { subject, request, effect, advice, label, support } = ADDRESS_CHANGE[locale];
  return {
    locale,
    subject: fill(subject),
    before: [fill(request), effect, advice],
    link: { label, url },
    after: [support],
  };
}

/** Hides the mailbox of an address except its first character: `maskEmail('anna@tea.example')` is 'a***@tea.example'. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
