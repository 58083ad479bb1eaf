import { parseContactDate, type DateOrder } from './contact-fields.ts';
import { asciiDigits } from './digits.ts';
import { foldText } from './fold-text.ts';
import { stripInvisible } from './invisible.ts';

/** What the values of an additional field of contacts are. */
export const FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'choice'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A type with the values that a choice offers; other types have none. */
export interface TypedField {
  type: FieldType;
  values: readonly string[];
}

/** Longer cells are no number, and neither yes nor no. */
const MAX_CELL_LENGTH = 100;
const MAX_WHOLE_DIGITS = 15;
const MAX_DECIMALS = 20;

/** Words in the seven languages of the cabinet, folded; spreadsheets write their own in the language of the program. */
const YES = new Set(
  'true,yes,y,1,+,да,д,истина,si,s,verdadero,ja,j,wahr,oui,o,vrai,vero,sim,verdadeiro'.split(','),
);
const NO = new Set('false,no,n,0,-,нет,н,ложь,falso,nein,falsch,non,faux,nao'.split(','));

/** `parseBoolean('Да')` is 'true', `parseBoolean('no')` is 'false'; null for other words. */
export function parseBoolean(text: string): 'true' | 'false' | null {
  if (text.length > MAX_CELL_LENGTH) return null;
  const key = foldText(stripInvisible(text).trim());
  if (YES.has(key)) return 'true';
  return NO.has(key) ? 'false' : null;
}

const SPACES = /[\p{Zs}'’]/gu;
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const GROUPED_BY_DOTS = /^-?\d{1,3}(?:\.\d{3})+,\d+$|^-?\d{1,3}(?:\.\d{3}){2,}$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A number as a plain decimal, or null: `plainDecimal('1 234,50')` is '1234.5'. A single dot is the decimal sign, as programs write it.
 * A single comma before three digits may be either sign, so that `1,234` is null; `0,125` and `1,5` are read.
 */
export function plainDecimal(text: string): string | null {
  if (text.length > MAX_CELL_LENGTH) return null;
  let plain = asciiDigits(stripInvisible(text)).replace(SPACES, '').replaceAll('\u2212', '-');
  if (GROUPED_BY_DOTS.test(plain)) plain = plain.replaceAll('.', '').replace(',', '.');
  else if (/^-?[1-9]\d{0,2},\d{3}$/.test(plain)) return null;
  else if (GROUPED.test(plain) && !/^-?0/.test(plain)) plain = plain.replaceAll(',', '');
  else plain = plain.replace(',', '.');
  const [, sign = '', digits = '', decimals = ''] = DECIMAL.exec(plain) ?? [];
  const whole = digits.replace(/^0+(?=\d)/, '');
  const fraction = trimZeros(decimals);
  if (!whole || whole.length > MAX_WHOLE_DIGITS || fraction.length > MAX_DECIMALS) return null;
  const value = fraction ? `${whole}.${fraction}` : whole;
  return value === '0' ? value : sign + value;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Folded once, and not for each row of a file. */
const KEYS = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function keysOf(values: readonly string[]): ReadonlyMap<string, string> {
  const known = KEYS.get(values);
  if (known) return known;
  const keys = new Map(values.map((value) => [foldText(value), value]));
  KEYS.set(values, keys);
  return keys;
}

/**
 * A value as it is stored in a field of this type, or null if it does not fit: a plain decimal, a date as yyyy-MM-dd, `true` or `false`,
 * a value of a choice as the choice writes it.
 */
export function fieldValue(
  text: string,
  { type, values }: TypedField,
  order?: DateOrder,
): string | null {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return plainDecimal(text);
    case 'date':
      return parseContactDate(text, order);
    case 'boolean':
      return parseBoolean(text);
    case 'choice':
      return keysOf(values).get(foldText(text.trim())) ?? null;
  }
}
