import type { Locale } from './locales.ts';

/** Content of an e-mail, without its layout. */
export interface EmailMessage {
  locale: Locale;
  subject: string;
  /** Paragraphs before and after the link. */
  before: string[];
  link: { label: string; url: string };
  after: string[];
}

interface EmailTexts {
  subject: string;
  request: string;
  label: string;
  lifetime: string;
  ignore: string;
}

/** `{title}` is the name of the product, `{minutes}` the lifetime of the link. */
const RECOVERY: Record<Locale, EmailTexts> = {
  ru: {
    subject: 'Новый пароль: {title}',
    request: 'Для логина {username} запрошен новый пароль. Чтобы задать его, откройте ссылку:',
    label: 'Задать новый пароль',
    lifetime:
      'Ссылка действует {minutes} минут и срабатывает один раз. Если запросить письмо ещё раз, подойдёт только последнее.',
    ignore:
      'Если вы этого не запрашивали, не обращайте внимания на это письмо: пароль останется прежним.',
  },
  en: {
    subject: 'New password: {title}',
    request: 'A new password was requested for the login {username}. Open this link to choose it:',
    label: 'Choose a new password',
    lifetime:
      'The link works for {minutes} minutes and only once. If you request another email, only the latest one counts.',
    ignore: 'If you did not request this, ignore this e-mail: your password stays the same.',
  },
  es: {
    subject: 'Contraseña nueva: {title}',
    request:
      'Se ha solicitado una contraseña nueva para el usuario {username}. Para elegirla, abra este enlace:',
    label: 'Elegir una contraseña nueva',
    lifetime:
      'El enlace funciona durante {minutes} minutos y una sola vez. Si solicita otro mensaje, solo valdrá el último.',
    ignore:
      'Si no lo ha solicitado usted, ignore este mensaje: su contraseña seguirá siendo la misma.',
  },
  pt: {
    subject: 'Nova senha: {title}',
    request:
      'Uma nova senha foi solicitada para o login {username}. Para defini-la, abra este link:',
    label: 'Definir uma nova senha',
    lifetime:
      'O link funciona por {minutes} minutos e apenas uma vez. Se você pedir outra mensagem, só a última valerá.',
    ignore: 'Se não foi você quem pediu, ignore esta mensagem: sua senha continua a mesma.',
  },
  fr: {
    subject: 'Nouveau mot de passe : {title}',
    request:
      'Un nouveau mot de passe a été demandé pour l’identifiant {username}. Pour le choisir, ouvrez ce lien :',
    label: 'Choisir un nouveau mot de passe',
    lifetime:
      'Le lien fonctionne pendant {minutes} minutes et une seule fois. Si vous demandez un autre message, seul le dernier sera valable.',
    ignore:
      'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',
  },
  de: {
    subject: 'Neues Passwort: {title}',
    request:
      'Für den Benutzernamen {username} wurde ein neues Passwort angefordert. Öffnen Sie diesen Link, um es festzulegen:',
    label: 'Neues Passwort festlegen',
    lifetime:
      'Der Link gilt {minutes} Minuten und nur einmal. Wenn Sie eine weitere Nachricht anfordern, gilt nur die letzte.',
    ignore:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.',
  },
  it: {
    subject: 'Nuova password: {title}',
    request:
      'È stata richiesta una nuova password per il nome utente {username}. Per sceglierla, apri questo link:',
    label: 'Scegli una nuova password',
    lifetime:
      'Il link funziona una sola volta, per {minutes} minuti. Se richiedi un altro messaggio, vale solo l’ultimo.',
    ignore: 'Se non l’hai richiesto tu, ignora questo messaggio: la password resta invariata.',
  },
};

export interface RecoveryEmailData {
  title: string;
  username: string;
  url: string;
  minutes: number;
}

/** The e-mail with the link to set a new password. */
export function recoveryEmail(locale: Locale, { url, ...data }: RecoveryEmailData): EmailMessage {
  const values: Record<string, string | number> = data;
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const { subject, request, label, lifetime, ignore } = RECOVERY[locale];
  return {
    locale,
    subject: fill(subject),
    before: [fill(request)],
    link: { label, url },
    after: [fill(lifetime), ignore],
  };
}
