export type Gender = 'male' | 'female';

/** Longer cells are neither a date nor a gender. */
const MAX_CELL_LENGTH = 100;

/** Words in the seven languages of the cabinet. */
const MALE = new Set(
  'м,муж,мужской,мужчина,m,male,man,mr,masculino,hombre,h,homem,männlich,mann,homme,masculin,maschio,maschile,uomo'.split(
    ',',
  ),
);
const FEMALE = new Set(
  'ж,жен,женский,женщина,f,female,woman,mrs,ms,femenino,mujer,feminino,mulher,weiblich,frau,w,femme,féminin,femmina,femminile,donna'.split(
    ',',
  ),
);

/** The gender of an import cell; null if it is not recognized. `parseGender('Муж.')` is 'male'. */
export function parseGender(text: string): Gender | null {
  if (text.length > MAX_CELL_LENGTH) return null;
  const key = text.trim().toLowerCase().replace(/\.$/, '');
  if (MALE.has(key)) return 'male';
  return FEMALE.has(key) ? 'female' : null;
}

const DATE_FORMATS = [
  { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, order: [3, 2, 1] },
  { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, order: [3, 1, 2] },
] as const;

/**
 * The date of an import cell as yyyy-MM-dd, or null. With dots the day is first, with slashes the month. Null for days that do
 * not exist. `parseContactDate('29.02.2024')` is '2024-02-29'.
 */
export function parseContactDate(text: string): string | null {
  if (text.length > MAX_CELL_LENGTH) return null;
  const trimmed = text.trim();
  for (const { pattern, order } of DATE_FORMATS) {
    const found = pattern.exec(trimmed);
    if (found) return isoDate(...(order.map((i) => Number(found[i])) as [number, number, number]));
  }
  return null;
}

function isoDate(year: number, month: number, day: number): string | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (year < 1 || days === undefined || day < 1 || day > days) return null;
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
