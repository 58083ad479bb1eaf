import { cutText } from './cut-text.ts';
import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';
import { plainRichText, telegramRichText, telegramText, type RichNode } from './rich-text.ts';

/** `{product}` is the name of the installation. */
const TEXTS: Record<Locale, { label: string; why: string }> = {
  ru: {
    label: 'Открыть в кабинете',
    why: 'Выбрать, о чём вам сообщать и куда, можно в настройках уведомлений: {url}',
  },
  en: {
    label: 'Open in your account',
    why: 'You can choose what you are notified of, and where, in the notification settings: {url}',
  },
  es: {
    label: 'Abrir en su cuenta',
    why: 'Puede elegir de qué se le avisa y por dónde en los ajustes de notificaciones: {url}',
  },
  pt: {
    label: 'Abrir na sua conta',
    why: 'Você pode escolher do que é avisado, e por onde, nas configurações de notificações: {url}',
  },
  fr: {
    label: 'Ouvrir dans votre compte',
    why: 'Vous pouvez choisir de quoi vous êtes informé, et par quel canal, dans les réglages des notifications : {url}',
  },
  de: {
    label: 'Im Konto öffnen',
    why: 'Worüber und wo Sie benachrichtigt werden, wählen Sie in den Einstellungen der Mitteilungen: {url}',
  },
  it: {
    label: 'Apri nel tuo account',
    why: 'Può scegliere di cosa essere avvisato, e dove, nelle impostazioni delle notifiche: {url}',
  },
};

interface NotificationEmail {
  /** Of the installation. */
  product: string;
  title: string;
  /** Plain text. */
  lines: string[];
  /** Of what it is about, and of the settings. */
  url: string;
  settingsUrl: string;
}

/** The e-mail of a notification. */
export function notificationEmail(
  locale: Locale,
  { product, title, lines, url, settingsUrl }: NotificationEmail,
): EmailMessage {
  const { label, why } = TEXTS[locale];
  return {
    locale,
    subject: oneLine(`${title}: ${product}`),
    before: [title, ...lines],
    link: { label, url },
    after: [why.replace('{url}', () => settingsUrl)],
  };
}

/** Subjects are one header. */
const oneLine = (text: string): string =>
  cutText(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '), 200).toWellFormed();

/** What the bot of notifications answers in a chat. */
export interface BotTexts {
  linked: string;
  wrongCode: string;
  tooMany: string;
  unlinked: string;
  notLinked: string;
  help: string;
}

export const BOT_TEXTS: Record<Locale, BotTexts> = {
  ru: {
    linked: 'Готово: сюда будут приходить уведомления аккаунта {username}. Отключить: /stop',
    wrongCode: 'Код неверный или устарел. Получите новый в настройках уведомлений кабинета.',
    tooMany: 'Слишком много неверных кодов. Попробуйте через час.',
    unlinked: 'Уведомления в этот чат больше не приходят.',
    notLinked: 'Этот чат ни к кому не привязан.',
    help: 'Чтобы получать уведомления, откройте настройки уведомлений в кабинете и нажмите «Привязать Telegram». Отключить: /stop',
  },
  en: {
    linked: 'Done: notifications of the account {username} will arrive here. To stop them: /stop',
    wrongCode:
      'The code is wrong or has expired. Get a new one in the notification settings of the cabinet.',
    tooMany: 'Too many wrong codes. Try again in an hour.',
    unlinked: 'Notifications no longer arrive in this chat.',
    notLinked: 'This chat is not linked to an account.',
    help: 'To receive notifications, open the notification settings in the cabinet and choose “Link Telegram”. To stop them: /stop',
  },
  es: {
    linked:
      'Listo: aquí llegarán las notificaciones de la cuenta {username}. Para dejar de recibirlas: /stop',
    wrongCode:
      'El código es incorrecto o ha caducado. Obtenga otro en los ajustes de notificaciones.',
    tooMany: 'Demasiados códigos incorrectos. Inténtelo dentro de una hora.',
    unlinked: 'Las notificaciones ya no llegan a este chat.',
    notLinked: 'Este chat no está vinculado a ninguna cuenta.',
    help: 'Para recibir notificaciones, abra los ajustes de notificaciones y elija «Vincular Telegram». Para dejar de recibirlas: /stop',
  },
  pt: {
    linked: 'Pronto: as notificações da conta {username} chegarão aqui. Para parar: /stop',
    wrongCode: 'O código está errado ou expirou. Obtenha outro nas configurações de notificações.',
    tooMany: 'Muitos códigos errados. Tente novamente em uma hora.',
    unlinked: 'As notificações não chegam mais a este chat.',
    notLinked: 'Este chat não está vinculado a nenhuma conta.',
    help: 'Para receber notificações, abra as configurações de notificações e escolha “Vincular Telegram”. Para parar: /stop',
  },
  fr: {
    linked:
      'C’est fait : les notifications du compte {username} arriveront ici. Pour arrêter : /stop',
    wrongCode:
      'Le code est erroné ou a expiré. Demandez-en un nouveau dans les réglages des notifications.',
    tooMany: 'Trop de codes erronés. Réessayez dans une heure.',
    unlinked: 'Les notifications n’arrivent plus dans cette discussion.',
    notLinked: 'Cette discussion n’est liée à aucun compte.',
    help: 'Pour recevoir des notifications, ouvrez leurs réglages dans votre compte et choisissez « Lier Telegram ». Pour arrêter : /stop',
  },
  de: {
    linked: 'Fertig: Mitteilungen des Kontos {username} kommen jetzt hier an. Abstellen: /stop',
    wrongCode:
      'Der Code ist falsch oder abgelaufen. Holen Sie einen neuen in den Einstellungen der Mitteilungen.',
    tooMany: 'Zu viele falsche Codes. Versuchen Sie es in einer Stunde noch einmal.',
    unlinked: 'In diesem Chat kommen keine Mitteilungen mehr an.',
    notLinked: 'Dieser Chat ist mit keinem Konto verknüpft.',
    help: 'Um Mitteilungen zu erhalten, öffnen Sie deren Einstellungen im Konto und wählen Sie „Telegram verknüpfen“. Abstellen: /stop',
  },
  it: {
    linked: 'Fatto: le notifiche dell’account {username} arriveranno qui. Per disattivarle: /stop',
    wrongCode:
      'Il codice è errato o scaduto. Ne ottenga uno nuovo nelle impostazioni delle notifiche.',
    tooMany: 'Troppi codici errati. Riprovi tra un’ora.',
    unlinked: 'Le notifiche non arrivano più in questa chat.',
    notLinked: 'Questa chat non è collegata ad alcun account.',
    help: 'Per ricevere le notifiche, apra le relative impostazioni nel suo account e scelga “Collega Telegram”. Per disattivarle: /stop',
  },
};

/** Characters of a message of Telegram. */
const MAX_TELEGRAM_TEXT = 4096;
/** Of its parts before they are escaped, so that the message is not cut within a tag. */
const MAX_LINES = 2500;

/** The message of a notification, in the HTML of the Bot API. */
export function telegramNotification(
  locale: Locale,
  { title, lines, rich }: { title: string; lines: string[]; rich: RichNode[] | null },
  url: string,
): string {
  const link = `<a href="${telegramText(url)}">${telegramText(TEXTS[locale].label)}</a>`;
  const plain = telegramText(lines.join('\n').slice(0, MAX_LINES));
  const fits = (text: string) => text.length <= MAX_TELEGRAM_TEXT - 600;
  const written = rich ? telegramRichText(rich) : '';
  // A text whose markup is too long for Telegram is sent without it.
  const body = [plain, fits(written) ? written : telegramText(plainRichText(rich!).slice(0, 700))];
  const whole = [`<b>${telegramText(title.slice(0, 200))}</b>`, ...body, '', link];
  const text = whole.filter((part, i) => part || i === whole.length - 2).join('\n');
  const short = `<b>${telegramText(title.slice(0, 200))}</b>\n\n${link}`;
  return (text.length <= MAX_TELEGRAM_TEXT ? text : short).toWellFormed();
}
