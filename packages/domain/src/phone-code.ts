import type { Locale } from './locales.ts';

/** `{title}` is the name of the product. Each text fits in one segment, also with UCS-2. */
const TEXTS: Record<Locale, string> = {
  ru: '{title}: код {code}. Никому его не сообщайте.',
  en: '{title}: your code is {code}. Do not share it with anyone.',
  es: '{title}: su código es {code}. No lo comparta con nadie.',
  pt: '{title}: seu código é {code}. Não o informe a ninguém.',
  fr: '{title} : votre code est {code}. Ne le communiquez à personne.',
  de: '{title}: Ihr Code ist {code}. Geben Sie ihn nicht weiter.',
  it: '{title}: il codice è {code}. Non comunicarlo a nessuno.',
};

/** Digits, lifetime in minutes and maximum attempts of a code that confirms a phone. Source: OWASP ASVS 5, 6.5 and 6.6. */
export const PHONE_CODE = { digits: 6, minutes: 10, tries: 5 };

/** Text of the SMS with the code that confirms a phone: `phoneCodeText('en', { title: 'Cabinet', code: '042917' })`. */
export function phoneCodeText(
  locale: Locale,
  { title, code }: { title: string; code: string },
): string {
  return TEXTS[locale].replace('{code}', () => code).replace('{title}', () => title);
}
