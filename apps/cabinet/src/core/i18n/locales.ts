/** Languages of the interface, in the order of the menus. `pt` is Brazilian. */
export const LOCALES = ['ru', 'en', 'es', 'pt', 'fr', 'de', 'it'] as const;
export type Locale = (typeof LOCALES)[number];

/** Names of the languages, each in itself. */
export const LOCALE_NAMES: Record<Locale, string> = {
  ru: 'Русский',
  en: 'English',
  es: 'Español',
  pt: 'Português',
  fr: 'Français',
  de: 'Deutsch',
  it: 'Italiano',
};

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** The stored choice, else the browser's first supported language, else English. */
export function firstLocale(stored: string | null, preferred: readonly string[]): Locale {
  if (isLocale(stored)) return stored;
  return preferred.map((tag) => tag.slice(0, 2)).find(isLocale) ?? 'en';
}
