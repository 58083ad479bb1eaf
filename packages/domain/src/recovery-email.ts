import type { Locale } from './locales.ts';

/** What a letter says; how it looks is the mail's. */
export interface EmailMessage {
  locale: Locale;
  subject: string;
  /** Paragraphs before and after the link. */
  before: string[];
  link: { label: string; url: string };
  after: string[];
}

interface Words {
  subject: string;
  asked: string;
  label: string;
  once: string;
  ignore: string;
}

/** `{title}` is the product, `{username}` the login, `{minutes}` how long the link works. */
const RECOVERY: Record<Locale, Words> = {
  ru: {
    subject: 'Новый пароль: {title}',
    asked: 'Для логина {username} запрошен новый пароль. Чтобы задать его, откройте ссылку:',
    label: 'Задать новый пароль',
    once: 'Ссылка действует {minutes} минут и срабатывает один раз. Если запросить письмо ещё раз, подойдёт только последнее.',
    ignore: 'Если вы этого не просили, ничего не делайте: пароль останется прежним.',
  },
  en: {
    subject: 'New password: {title}',
    asked: 'A new password was requested for the login {username}. To choose it, open this link:',
    label: 'Choose a new password',
    once: 'The link works for {minutes} minutes and only once. If you ask for another letter, only the last one counts.',
    ignore: 'If you did not ask for this, do nothing: your password stays as it is.',
  },
  es: {
    subject: 'Contraseña nueva: {title}',
    asked:
      'Se ha solicitado una contraseña nueva para el usuario {username}. Para elegirla, abra este enlace:',
    label: 'Elegir una contraseña nueva',
    once: 'El enlace funciona durante {minutes} minutos y una sola vez. Si solicita otro mensaje, solo valdrá el último.',
    ignore: 'Si no lo ha solicitado usted, no haga nada: su contraseña seguirá siendo la misma.',
  },
  pt: {
    subject: 'Nova senha: {title}',
    asked: 'Uma nova senha foi solicitada para o login {username}. Para defini-la, abra este link:',
    label: 'Definir uma nova senha',
    once: 'O link funciona por {minutes} minutos e apenas uma vez. Se você pedir outra mensagem, só a última valerá.',
    ignore: 'Se não foi você quem pediu, não faça nada: sua senha continua a mesma.',
  },
  fr: {
    subject: 'Nouveau mot de passe : {title}',
    asked:
      'Un nouveau mot de passe a été demandé pour l’identifiant {username}. Pour le choisir, ouvrez ce lien :',
    label: 'Choisir un nouveau mot de passe',
    once: 'Le lien fonctionne pendant {minutes} minutes et une seule fois. Si vous demandez un autre message, seul le dernier sera valable.',
    ignore:
      'Si vous n’êtes pas à l’origine de cette demande, ne faites rien : votre mot de passe reste inchangé.',
  },
  de: {
    subject: 'Neues Passwort: {title}',
    asked:
      'Für den Benutzernamen {username} wurde ein neues Passwort angefordert. Öffnen Sie diesen Link, um es festzulegen:',
    label: 'Neues Passwort festlegen',
    once: 'Der Link gilt {minutes} Minuten und nur einmal. Wenn Sie eine weitere Nachricht anfordern, gilt nur die letzte.',
    ignore:
      'Wenn Sie das nicht angefordert haben, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  it: {
    subject: 'Nuova password: {title}',
    asked:
      'È stata richiesta una nuova password per il nome utente {username}. Per sceglierla, aprire questo link:',
    label: 'Scegliere una nuova password',
    once: 'Il link vale {minutes} minuti e una sola volta. Se si richiede un altro messaggio, vale solo l’ultimo.',
    ignore:
      'Se la richiesta non è stata fatta da voi, non fate nulla: la password resta invariata.',
  },
};

export interface RecoveryEmailData {
  title: string;
  username: string;
  url: string;
  minutes: number;
}

/** The letter with the link to a new password. */
export function recoveryEmail(locale: Locale, { url, ...facts }: RecoveryEmailData): EmailMessage {
  const values: Record<string, string | number> = facts;
  const say = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const { subject, asked, label, once, ignore } = RECOVERY[locale];
  return {
    locale,
    subject: say(subject),
    before: [say(asked)],
    link: { label, url },
    after: [say(once), ignore],
  };
}
