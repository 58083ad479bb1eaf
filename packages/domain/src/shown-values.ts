import type { Locale } from './locales.ts';
import type { VariableValues } from './variables.ts';

const GENDERS: Record<Locale, Record<string, string>> = {
  ru: { male: 'мужской', female: 'женский' },
  en: { male: 'male', female: 'female' },
  es: { male: 'hombre', female: 'mujer' },
  pt: { male: 'masculino', female: 'feminino' },
  fr: { male: 'masculin', female: 'féminin' },
  de: { male: 'männlich', female: 'weiblich' },
  it: { male: 'maschile', female: 'femminile' },
};

const ENGLISH_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** In English numbers alone would be read month first by some and day first by others. */
function shownDate(date: string, locale: Locale): string {
  const [year = '', month = '', day = ''] = date.split('-');
  if (!day) return date;
  if (locale === 'en') return `${ENGLISH_MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
  const separator = locale === 'ru' || locale === 'de' ? '.' : '/';
  return [day, month, year].join(separator);
}

/**
 * The values of a contact as people read them in a message: its date and gender in the language of the account.
 * `shownValues({ date: '1990-12-25' }, 'ru')` is `{ date: '25.12.1990' }`.
 */
export function shownValues<V extends VariableValues>(values: V, locale: Locale): V {
  const { date, gender } = values;
  if (!date && !gender) return values;
  return {
    ...values,
    ...(date && { date: shownDate(date, locale) }),
    ...(gender && { gender: GENDERS[locale][gender] ?? gender }),
  };
}
