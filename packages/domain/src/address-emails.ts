import type { EmailMessage } from './recovery-email.ts';
import type { Locale } from './locales.ts';

interface ConfirmationWords {
  subject: string;
  given: string;
  label: string;
  once: string;
  ignore: string;
}
interface NoticeWords {
  subject: string;
  asked: string;
  until: string;
  what: string;
  label: string;
  late: string;
}

/** `{title}` is the product, `{username}` the login, `{address}` the new address, `{hours}` how long the link works. */
const CONFIRMATION: Record<Locale, ConfirmationWords> = {
  ru: {
    subject: 'Подтвердите e-mail: {title}',
    given: 'Для логина {username} указан адрес {address}. Чтобы подтвердить его, откройте ссылку:',
    label: 'Подтвердить e-mail',
    once: 'Ссылка действует {hours} ч и срабатывает один раз. Если запросить письмо ещё раз, подойдёт только последнее.',
    ignore: 'Если вы к этому не причастны, ничего не делайте: адрес не будет использован.',
  },
  en: {
    subject: 'Confirm your e-mail: {title}',
    given:
      'The address {address} was given for the login {username}. To confirm it, open this link:',
    label: 'Confirm the e-mail',
    once: 'The link works for {hours} hours and only once. If you request another email, only the latest one counts.',
    ignore: 'If this has nothing to do with you, do nothing: the address will not be used.',
  },
  es: {
    subject: 'Confirme su correo: {title}',
    given:
      'Se ha indicado la dirección {address} para el usuario {username}. Para confirmarla, abra este enlace:',
    label: 'Confirmar el correo',
    once: 'El enlace funciona durante {hours} horas y una sola vez. Si solicita otro mensaje, solo valdrá el último.',
    ignore: 'Si esto no tiene que ver con usted, no haga nada: la dirección no se utilizará.',
  },
  pt: {
    subject: 'Confirme seu e-mail: {title}',
    given:
      'O endereço {address} foi informado para o login {username}. Para confirmá-lo, abra este link:',
    label: 'Confirmar o e-mail',
    once: 'O link funciona por {hours} horas e apenas uma vez. Se você pedir outra mensagem, só a última valerá.',
    ignore: 'Se isso não tem a ver com você, não faça nada: o endereço não será usado.',
  },
  fr: {
    subject: 'Confirmez votre e-mail : {title}',
    given:
      'L’adresse {address} a été indiquée pour l’identifiant {username}. Pour la confirmer, ouvrez ce lien :',
    label: 'Confirmer l’e-mail',
    once: 'Le lien fonctionne pendant {hours} heures et une seule fois. Si vous demandez un autre message, seul le dernier sera valable.',
    ignore: 'Si cela ne vous concerne pas, ne faites rien : l’adresse ne sera pas utilisée.',
  },
  de: {
    subject: 'E-Mail-Adresse bestätigen: {title}',
    given:
      'Für den Benutzernamen {username} wurde die Adresse {address} angegeben. Öffnen Sie diesen Link, um sie zu bestätigen:',
    label: 'E-Mail-Adresse bestätigen',
    once: 'Der Link gilt {hours} Stunden und nur einmal. Wenn Sie eine weitere Nachricht anfordern, gilt nur die letzte.',
    ignore: 'Wenn Sie nichts damit zu tun haben, tun Sie nichts: Die Adresse wird nicht verwendet.',
  },
  it: {
    subject: 'Confermare l’e-mail: {title}',
    given:
      'L’indirizzo {address} è stato indicato per il nome utente {username}. Per confermarlo, aprire questo link:',
    label: 'Confermare l’e-mail',
    once: 'Il link vale {hours} ore e una sola volta. Se si richiede un altro messaggio, vale solo l’ultimo.',
    ignore: 'Se non vi riguarda, non fate nulla: l’indirizzo non verrà usato.',
  },
};

/** `{by}` is the login of who asked, `{ip}` from where, `{address}` the new address with most of it hidden. */
const NOTICE: Record<Locale, NoticeWords> = {
  ru: {
    subject: 'Меняется e-mail: {title}',
    asked: 'Для логина {username} запрошен новый адрес: {address}. Запросил: {by}, IP {ip}.',
    until: 'Новый адрес начнёт действовать, когда его подтвердят по ссылке из письма.',
    what: 'Если это сделали не вы, сразу задайте новый пароль: смена адреса отменится, все сеансы завершатся.',
    label: 'Задать новый пароль',
    late: 'Если адрес уже сменился и письмо для нового пароля не приходит, обратитесь в поддержку.',
  },
  en: {
    subject: 'Your e-mail is being changed: {title}',
    asked:
      'A new address was requested for the login {username}: {address}. Requested by {by} from {ip}.',
    until: 'It takes effect once it is confirmed by the link that was sent to it.',
    what: 'If you did not want this, choose a new password now: that cancels the change and ends all sessions.',
    label: 'Choose a new password',
    late: 'If the address has already changed and no email for a new password arrives, contact support.',
  },
  es: {
    subject: 'Cambio de correo: {title}',
    asked:
      'Se ha solicitado una dirección nueva para el usuario {username}: {address}. Solicitado por {by} desde {ip}.',
    until: 'Se aplicará cuando se confirme con el enlace del mensaje enviado a esa dirección.',
    what: 'Si usted no lo quería, elija ahora una contraseña nueva: se anulará el cambio y se cerrarán todas las sesiones.',
    label: 'Elegir una contraseña nueva',
    late: 'Si la dirección ya ha cambiado y no llega el mensaje para la contraseña nueva, contacte con soporte.',
  },
  pt: {
    subject: 'Seu e-mail está sendo alterado: {title}',
    asked:
      'Um novo endereço foi solicitado para o login {username}: {address}. Solicitado por {by} a partir de {ip}.',
    until: 'Ele passa a valer quando for confirmado pelo link da mensagem enviada a ele.',
    what: 'Se você não queria isso, defina uma nova senha agora: a alteração será cancelada e todas as sessões serão encerradas.',
    label: 'Definir uma nova senha',
    late: 'Se o endereço já mudou e a mensagem para a nova senha não chega, fale com o suporte.',
  },
  fr: {
    subject: 'Changement d’e-mail : {title}',
    asked:
      'Une nouvelle adresse a été demandée pour l’identifiant {username} : {address}. Demande de {by} depuis {ip}.',
    until: 'Elle prendra effet une fois confirmée par le lien du message qui lui est envoyé.',
    what: 'Si vous ne le vouliez pas, choisissez tout de suite un nouveau mot de passe : le changement sera annulé et toutes les sessions fermées.',
    label: 'Choisir un nouveau mot de passe',
    late: 'Si l’adresse a déjà changé et qu’aucun message pour un nouveau mot de passe n’arrive, contactez l’assistance.',
  },
  de: {
    subject: 'Ihre E-Mail-Adresse wird geändert: {title}',
    asked:
      'Für den Benutzernamen {username} wurde eine neue Adresse angefordert: {address}. Angefordert von {by}, IP {ip}.',
    until: 'Sie gilt, sobald sie über den Link in einer Nachricht an sie bestätigt wird.',
    what: 'Wenn Sie das nicht wollten, legen Sie jetzt ein neues Passwort fest: Die Änderung wird verworfen, alle Sitzungen werden beendet.',
    label: 'Neues Passwort festlegen',
    late: 'Wenn die Adresse schon geändert ist und keine Nachricht für ein neues Passwort kommt, wenden Sie sich an den Support.',
  },
  it: {
    subject: 'Modifica dell’e-mail: {title}',
    asked:
      'È stato richiesto un nuovo indirizzo per il nome utente {username}: {address}. Richiesto da {by}, IP {ip}.',
    until:
      'Avrà effetto quando sarà confermato con il link del messaggio inviato a quell’indirizzo.',
    what: 'Se non lo volevate, scegliete subito una nuova password: la modifica verrà annullata e tutte le sessioni chiuse.',
    label: 'Scegliere una nuova password',
    late: 'Se l’indirizzo è già cambiato e non arriva il messaggio per la nuova password, contattate l’assistenza.',
  },
};

interface Facts {
  title: string;
  username: string;
  address: string;
  url: string;
}

const filler = (values: object) => (text: string) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String((values as Record<string, unknown>)[name]),
  );

/** To the address that is to be confirmed. */
export function confirmationEmail(
  locale: Locale,
  { url, ...facts }: Facts & { hours: number },
): EmailMessage {
  const say = filler(facts);
  const { subject, given, label, once, ignore } = CONFIRMATION[locale];
  return {
    locale,
    subject: say(subject),
    before: [say(given)],
    link: { label, url },
    after: [say(once), ignore],
  };
}

/** To the address that is to be replaced: it says what happens and what to do about it. */
export function addressChangeEmail(
  locale: Locale,
  { url, address, ...facts }: Facts & { by: string; ip: string },
): EmailMessage {
  const say = filler({ ...facts, address: maskEmail(address) });
  const { subject, asked, until, what, label, late } = NOTICE[locale];
  return {
    locale,
    subject: say(subject),
    before: [say(asked), until, what],
    link: { label, url },
    after: [late],
  };
}

/** `maskEmail('anna@tea.example')` is 'a***@tea.example'. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
