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

const KEY = 'heliograph.locale';

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** The stored choice, else the browser's first supported language, else English. */
export function firstLocale(stored: string | null, preferred: readonly string[]): Locale {
  if (isLocale(stored)) return stored;
  return preferred.map((tag) => tag.slice(0, 2)).find(isLocale) ?? 'en';
}

export const storedLocale = (): string | null => localStorage.getItem(KEY);
export const storeLocale = (locale: Locale): void => localStorage.setItem(KEY, locale);
