import type { Locale } from './locales.ts';

/** `{title}` is the product. Short enough for one segment, also in the languages that need UCS-2. */
const TEXTS: Record<Locale, string> = {
  ru: '{title}: код {code}. Никому его не сообщайте.',
  en: '{title}: your code is {code}. Do not share it with anyone.',
  es: '{title}: su código es {code}. No lo comparta con nadie.',
  pt: '{title}: seu código é {code}. Não o informe a ninguém.',
  fr: '{title} : votre code est {code}. Ne le communiquez à personne.',
  de: '{title}: Ihr Code ist {code}. Geben Sie ihn nicht weiter.',
  it: '{title}: il codice è {code}. Non comunicarlo a nessuno.',
};

/** Of a code that confirms a phone, how long it is good in minutes, and how often it may be tried. OWASP ASVS 5, 6.5 and 6.6. */
export const PHONE_CODE = { digits: 6, minutes: 10, tries: 5 };

/** The SMS with the code that confirms a phone: `phoneCodeText('en', { title: 'Cabinet', code: '042917' })`. */
export function phoneCodeText(
  locale: Locale,
  { title, code }: { title: string; code: string },
): string {
  return TEXTS[locale].replace('{code}', () => code).replace('{title}', () => title);
}
