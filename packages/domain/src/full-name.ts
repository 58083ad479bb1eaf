export interface FullName {
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
}

/** Suffixes of Russian patronymics, of Turkic ones in Cyrillic, and of Russian ones in Latin letters. */
const PATRONYMIC = /(?:вич|вна|чна|оглы|кызы|улы)$|.(?:ovich|evich|ovna|evna|ichna)$/i;

/**
 * Splits the full name of a person. In order of reliability:
 *
 * 1. a comma follows the family name: `Иванова, Анна`;
 * 2. a patronymic identifies the order: `Анна Петровна Иванова` and `Иванова Анна Петровна`;
 * 3. otherwise `familyFirst` decides, from the header (`isFamilyFirst`): `Иванова Анна` under `ФИО`, `Anna van Dyk` under `Full name`.
 *    Words after family name and first name are the patronymic. Without a patronymic, all words after the first name are the
 *    family name.
 *
 * A single word is the first name. All fields are null for an empty text.
 */
export function splitFullName(text: string, familyFirst: boolean): FullName {
  const comma = text.indexOf(',');
  if (comma > 0 && text.slice(comma + 1).trim())
    return toFullName(
      words(text.slice(0, comma)),
      words(text.slice(comma + 1).replaceAll(',', ' ')),
    );
  const all = words(text);
  const [first, second = ''] = all;
  if (all.length < 2) return { firstName: first ?? null, middleName: null, lastName: null };
  if (all.length > 2 && PATRONYMIC.test(second)) return toFullName(all.slice(2), all.slice(0, 2));
  if (familyFirst || PATRONYMIC.test(all[2] ?? ''))
    return toFullName(all.slice(0, 1), all.slice(1));
  return { firstName: first!, middleName: null, lastName: all.slice(1).join(' ') };
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

function toFullName(family: string[], [first, ...middle]: string[]): FullName {
  const joined = (names: string[]) => names.join(' ') || null;
  return { firstName: first ?? null, middleName: joined(middle), lastName: joined(family) };
}
