import type { ShownError } from '../wire.ts';
import { de, deErrors } from './de.ts';
import { en, enErrors, type Texts } from './en.ts';
import { es, esErrors } from './es.ts';
import { fr, frErrors } from './fr.ts';
import { it, itErrors } from './it.ts';
import { pt, ptErrors } from './pt.ts';
import { ru, ruErrors } from './ru.ts';

export const LANGUAGES: Record<string, { texts: Texts; errors: Record<ShownError, string> }> = {
  ru: { texts: ru, errors: ruErrors },
  en: { texts: en, errors: enErrors },
  es: { texts: es, errors: esErrors },
  pt: { texts: pt, errors: ptErrors },
  fr: { texts: fr, errors: frErrors },
  de: { texts: de, errors: deErrors },
  it: { texts: it, errors: itErrors },
};

/** The first of some language tags that the widget speaks; English if there is none. */
export function languageOf(tags: readonly (string | null | undefined)[]): string {
  for (const tag of tags) {
    const [language] = (tag ?? '').toLowerCase().split('-');
    if (language && LANGUAGES[language]) return language;
  }
  return 'en';
}

export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
