import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';

interface TestTexts {
  subject: string;
  fact: string;
  label: string;
}

const TEXTS: Record<Locale, TestTexts> = {
  ru: {
    subject: 'Проверка почты: {title}',
    fact: 'Это письмо отправлено из настроек системы. Если вы его читаете, почта настроена верно.',
    label: 'Открыть кабинет',
  },
  en: {
    subject: 'Test of the e-mail settings: {title}',
    fact: 'This e-mail was sent from the settings of the installation. If you can read it, e-mail works.',
    label: 'Open the cabinet',
  },
  es: {
    subject: 'Prueba del correo: {title}',
    fact: 'Este mensaje se ha enviado desde los ajustes de la instalación. Si puede leerlo, el correo funciona.',
    label: 'Abrir el panel',
  },
  pt: {
    subject: 'Teste de e-mail: {title}',
    fact: 'Esta mensagem foi enviada a partir das configurações da instalação. Se você consegue lê-la, o e-mail funciona.',
    label: 'Abrir o painel',
  },
  fr: {
    subject: 'Test de la messagerie : {title}',
    fact: 'Ce message a été envoyé depuis les réglages de l’installation. Si vous pouvez le lire, la messagerie fonctionne.',
    label: 'Ouvrir l’espace client',
  },
  de: {
    subject: 'Test des E-Mail-Versands: {title}',
    fact: 'Diese E-Mail wurde aus den Einstellungen der Installation gesendet. Wenn Sie sie lesen können, funktioniert der Versand.',
    label: 'Zur Anwendung',
  },
  it: {
    subject: 'Prova della posta: {title}',
    fact: 'Questo messaggio è stato inviato dalle impostazioni dell’installazione. Se riesci a leggerlo, la posta funziona.',
    label: 'Apri il pannello',
  },
};

/** What an administrator sends to itself. */
export function testEmail(
  locale: Locale,
  { title, url }: { title: string; url: string },
): EmailMessage {
  const { subject, fact, label } = TEXTS[locale];
  return {
    locale,
    subject: subject.replace('{title}', () => title),
    before: [fact],
    link: { label, url },
    after: [],
  };
}
