/** Languages of the cabinet and of e-mails, in menu order. `pt` is Brazilian Portuguese. */
export const LOCALES = ['ru', 'en', 'es', 'pt', 'fr', 'de', 'it'] as const;
export type Locale = (typeof LOCALES)[number];
