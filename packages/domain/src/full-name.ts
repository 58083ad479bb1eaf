export interface FullName {
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
}

/** Ends of Russian patronymics, of Turkic ones in Cyrillic letters, and of Russian ones in Latin letters. */
const PATRONYMIC = /(?:вич|вна|чна|оглы|кызы|улы)$|.(?:ovich|evich|ovna|evna|ichna)$/i;

/**
 * The names of a person that stand in one cell, by what is sure first:
 *
 * 1. a comma stands behind the family name: `Иванова, Анна`;
 * 2. a patronymic says which name is which: `Анна Петровна Иванова` and `Иванова Анна Петровна`;
 * 3. else the header says whether the family name comes first (`isFamilyFirst`): `Иванова Анна` under `ФИО`, `Anna van Dyk` under
 *    `Full name`. What follows the family name and the first name is the patronymic; without a patronymic all that follows the first
 *    name is the family name.
 *
 * A single word is the first name. A text without words is all null.
 */
export function splitFullName(text: string, familyFirst: boolean): FullName {
  const comma = text.indexOf(',');
  if (comma > 0 && text.slice(comma + 1).trim())
    return named(words(text.slice(0, comma)), words(text.slice(comma + 1).replaceAll(',', ' ')));
  const all = words(text);
  const [first, second = ''] = all;
  if (all.length < 2) return { firstName: first ?? null, middleName: null, lastName: null };
  if (all.length > 2 && PATRONYMIC.test(second)) return named(all.slice(2), all.slice(0, 2));
  if (familyFirst || PATRONYMIC.test(all[2] ?? '')) return named(all.slice(0, 1), all.slice(1));
  return { firstName: first!, middleName: null, lastName: all.slice(1).join(' ') };
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

function named(family: string[], [first, ...middle]: string[]): FullName {
  const joined = (some: string[]) => some.join(' ') || null;
  return { firstName: first ?? null, middleName: joined(middle), lastName: joined(family) };
}
