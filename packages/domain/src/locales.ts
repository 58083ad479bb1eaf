/** Languages of the cabinet and of e-mails, in menu order. `pt` is Brazilian Portuguese. */
export const LOCALES = ['ru', 'en', 'es', 'pt', 'fr', 'de', 'it'] as const;
export type Locale = (typeof LOCALES)[number];

export const isLocale = (text: string | null): text is Locale =>
  (LOCALES as readonly (string | null)[]).includes(text);

/** Of the code of a language: `localeOfLanguage('pt-BR')` is 'pt'; English for languages that the cabinet does not have. */
export const localeOfLanguage = (code: string): Locale => {
  const language = code.slice(0, 2).toLowerCase();
  return isLocale(language) ? language : 'en';
};
