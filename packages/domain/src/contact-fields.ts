import { asciiDigits } from './digits.ts';
import { stripInvisible } from './invisible.ts';

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

/** Which comes first in a date whose year is last and that is written with slashes or hyphens. */
export type DateOrder = 'day' | 'month';

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const TIME =
  /[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
/** `5. 12. 1990`, `05.12.1990 г.` */
const SPACED_DOT = /(?<=^[\d. ]{1,8})\. /g;
/** `01.01.0001` is how 1C and .NET write no date. */
const FIRST_YEAR = 1000;
const YEAR_MARK = / ?г\.?$/i;
/** Countries that write the month first. */
const MONTH_FIRST = new Set(['US', 'FM', 'GU', 'MH', 'MP', 'PH', 'PR', 'PW', 'VI']);

/**
 * The date of an import cell as yyyy-MM-dd, or null; a time and a zone behind it are ignored. With dots the day is first, with slashes and
 * hyphens `order` decides. Null for days that do not exist. `parseContactDate('29.02.2024')` is '2024-02-29'.
 */
export function parseContactDate(text: string, order: DateOrder = 'month'): string | null {
  if (text.length > MAX_CELL_LENGTH) return null;
  const day = asciiDigits(stripInvisible(text).trim())
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll('／', '/')
    .replaceAll('．', '.')
    .replace(TIME, '')
    .replace(YEAR_MARK, '')
    .replace(SPACED_DOT, '.');
  const first = YEAR_FIRST.exec(day);
  if (first) return isoDate(Number(first[1]), Number(first[3]), Number(first[4]));
  const last = YEAR_LAST.exec(day);
  if (!last) return null;
  const [one, other, year] = [last[1], last[3], last[4]].map(Number) as [number, number, number];
  return last[2] === '.' || order === 'day' ? isoDate(year, other, one) : isoDate(year, one, other);
}

/** The only order in which a cell is a day, or null: `25/12/1990` is 'day', `05/12/1990` and `25.12.1990` are null. */
export function dateOrderOf(text: string): DateOrder | null {
  const [day, month] = [parseContactDate(text, 'day'), parseContactDate(text, 'month')];
  if (day && !month) return 'day';
  return month && !day ? 'month' : null;
}

/** Of a country whose dates may be read both ways. */
export const dateOrderIn = (country: string): DateOrder =>
  MONTH_FIRST.has(country) ? 'month' : 'day';

function isoDate(year: number, month: number, day: number): string | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (year < FIRST_YEAR || days === undefined || day < 1 || day > days) return null;
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
