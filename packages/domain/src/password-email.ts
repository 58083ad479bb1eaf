import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';

interface PasswordTexts {
  subject: string;
  fact: string;
  effect: string;
  advice: string;
  label: string;
}

/** `{ip}` is the IP address from which the password was changed. */
const CHANGED: Record<Locale, PasswordTexts> = {
  ru: {
    subject: 'Пароль изменён: {title}',
    fact: 'Для логина {username} задан новый пароль. IP {ip}.',
    effect: 'Остальные сеансы завершены.',
    advice: 'Если это сделали не вы, сразу задайте другой пароль:',
    label: 'Задать новый пароль',
  },
  en: {
    subject: 'Your password was changed: {title}',
    fact: 'The password of the login {username} was changed from {ip}.',
    effect: 'All other sessions have ended.',
    advice: 'If this was not you, choose another password now:',
    label: 'Choose a new password',
  },
  es: {
    subject: 'Se ha cambiado su contraseña: {title}',
    fact: 'La contraseña del usuario {username} se ha cambiado desde {ip}.',
    effect: 'Las demás sesiones han finalizado.',
    advice: 'Si no ha sido usted, elija ahora otra contraseña:',
    label: 'Elegir una contraseña nueva',
  },
  pt: {
    subject: 'Sua senha foi alterada: {title}',
    fact: 'A senha do login {username} foi alterada a partir de {ip}.',
    effect: 'As demais sessões foram encerradas.',
    advice: 'Se não foi você, defina agora outra senha:',
    label: 'Definir uma nova senha',
  },
  fr: {
    subject: 'Votre mot de passe a été modifié : {title}',
    fact: 'Le mot de passe de l’identifiant {username} a été modifié depuis {ip}.',
    effect: 'Les autres sessions sont terminées.',
    advice: 'Si ce n’était pas vous, choisissez tout de suite un autre mot de passe :',
    label: 'Choisir un nouveau mot de passe',
  },
  de: {
    subject: 'Ihr Passwort wurde geändert: {title}',
    fact: 'Das Passwort für den Benutzernamen {username} wurde geändert, IP {ip}.',
    effect: 'Alle anderen Sitzungen wurden beendet.',
    advice: 'Wenn Sie das nicht waren, legen Sie jetzt ein anderes Passwort fest:',
    label: 'Neues Passwort festlegen',
  },
  it: {
    subject: 'La password è stata modificata: {title}',
    fact: 'La password del nome utente {username} è stata modificata da {ip}.',
    effect: 'Tutte le altre sessioni sono terminate.',
    advice: 'Se non sei stato tu, scegli subito un’altra password:',
    label: 'Scegli una nuova password',
  },
};

interface PasswordEmailData {
  title: string;
  username: string;
  ip: string;
  url: string;
}

/** The notice of a changed password, with a link to recover the account. */
export function passwordChangedEmail(
  locale: Locale,
  { url, ...data }: PasswordEmailData,
): EmailMessage {
  const values: Record<string, string> = data;
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const { subject, fact, effect, advice, label } = CHANGED[locale];
  return {
    locale,
    subject: fill(subject),
    before: [fill(fact), effect, advice],
    link: { label, url },
    after: [],
  };
}
