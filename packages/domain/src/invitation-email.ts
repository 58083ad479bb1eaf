import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';

interface Texts {
  subject: string;
  text: string;
  label: string;
  lifetime: string;
}

/** `{title}` is the name of the product, `{days}` the lifetime of the link. */
const TEXTS: Record<Locale, Texts> = {
  ru: {
    subject: 'Ваш аккаунт: {title}',
    text: 'Для вас создан аккаунт с логином {username}. Чтобы задать пароль и войти, откройте ссылку:',
    label: 'Задать пароль',
    lifetime: 'Ссылка срабатывает один раз. Срок её действия в днях: {days}.',
  },
  en: {
    subject: 'Your account: {title}',
    text: 'An account with the login {username} was created for you. Open this link to choose a password and sign in:',
    label: 'Choose a password',
    lifetime: 'The link works once, for {days} days.',
  },
  es: {
    subject: 'Su cuenta: {title}',
    text: 'Se ha creado para usted una cuenta con el usuario {username}. Para elegir la contraseña e iniciar sesión, abra este enlace:',
    label: 'Elegir la contraseña',
    lifetime: 'El enlace funciona una sola vez, durante {days} días.',
  },
  pt: {
    subject: 'Sua conta: {title}',
    text: 'Uma conta com o login {username} foi criada para você. Para definir a senha e entrar, abra este link:',
    label: 'Definir a senha',
    lifetime: 'O link funciona uma única vez, por {days} dias.',
  },
  fr: {
    subject: 'Votre compte : {title}',
    text: 'Un compte avec l’identifiant {username} a été créé pour vous. Pour choisir le mot de passe et vous connecter, ouvrez ce lien :',
    label: 'Choisir le mot de passe',
    lifetime: 'Le lien fonctionne une seule fois, pendant {days} jours.',
  },
  de: {
    subject: 'Ihr Konto: {title}',
    text: 'Für Sie wurde ein Konto mit dem Benutzernamen {username} angelegt. Öffnen Sie diesen Link, um das Passwort festzulegen und sich anzumelden:',
    label: 'Passwort festlegen',
    lifetime: 'Der Link gilt {days} Tage und nur einmal.',
  },
  it: {
    subject: 'Il tuo account: {title}',
    text: 'È stato creato per te un account con il nome utente {username}. Per scegliere la password e accedere, apri questo link:',
    label: 'Scegli la password',
    lifetime: 'Il link funziona una sola volta, per {days} giorni.',
  },
};

export interface InvitationEmailData {
  title: string;
  username: string;
  url: string;
  days: number;
}

/** The e-mail with the link by which an invited person chooses the password. */
export function invitationEmail(
  locale: Locale,
  { url, ...data }: InvitationEmailData,
): EmailMessage {
  const values: Record<string, string | number> = data;
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const { subject, text, label, lifetime } = TEXTS[locale];
  return {
    locale,
    subject: fill(subject),
    before: [fill(text)],
    link: { label, url },
    after: [fill(lifetime)],
  };
}
