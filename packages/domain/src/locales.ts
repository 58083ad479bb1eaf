/** Languages of the interface and of letters, in the order of the menus. `pt` is Brazilian. */
export const LOCALES = ['ru', 'en', 'es', 'pt', 'fr', 'de', 'it'] as const;
export type Locale = (typeof LOCALES)[number];
