import { zeroOf } from './digits.ts';

/** The digits of one phone number as it is written. */
export interface PhoneSpelling {
  digits: string;
  /** The calling code comes first, so no country has to be assumed: `+49 30`, and `49 (0)30`. */
  isInternational: boolean;
  /** Where a trunk zero in parentheses was left out of the digits. */
  trunkZeroAt: number | null;
  /** A group in parentheses comes first: `(030) 123456`. */
  isAreaFirst: boolean;
}

const EQUIVALENTS: Record<string, string> = {
  '＋': '+',
  '（': '(',
  '）': ')',
  '．': '.',
  '−': '-',
};
const SPACE = /\p{Zs}/u;
const DASH = /\p{Pd}/u;
/** Fifteen digits, a prefix of international calls and a trunk zero. */
const MAX_DIGITS = 20;

/** `'79161234567`, `="+79161234567"` and `=+79161234567`: how spreadsheets mark numbers as text. */
const TEXT_MARKS = [/^="([^"]*)"$/, /^=(?=\+)(.*)$/s, /^['\u2018\u2019`\u00b4](.*)$/s];
const TEL_URI = /^tel:/i;
/** A number in a spreadsheet's cell without format: `79161234567.0`, and `7.9161234567E+10` if no digit is missing. */
const DECIMAL = /^([1-9]\d{6,14})[.,]0{1,4}$/;
const SCIENTIFIC = /^([1-9])[.,](\d{6,14})E\+?(\d{1,2})$/i;
/** An area code that only begins with a parenthesis. */
const UNCLOSED = /^(\+?\d{0,3} ?)\(([^()]*)$/;
/** Most numbers. */
const PLAIN = /^(\+?)(\d{5,20})$/;
/** A plus, a group in parentheses, and groups of digits with separators between them. */
const SHAPE =
  /^(?:\(\+ ?\d[\d -]*\)|\+? ?(?:\( ?\d[\d -]*\)|\d))(?:[ .-]*(?:\d|\( ?\d[\d -]*\) ?(?=[ .-]*\d)))*\.?$/;

/** `31.12.1990` and `1990-12-31`. */
const DATE = /^(?:\d{1,2}([.-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([.-])\d{1,2}\2\d{1,2})$/;

/**
 * The digits of a text that is exactly one number; null for any other. Digits are joined over spaces, hyphens, parentheses, and dots
 * that separate groups. Commas, slashes, letters and decimal points end a number, so a text with one of them is refused.
 * `readSpelling('+49 (0)30 123456')` has the digits '4930123456'.
 */
export function readSpelling(written: string): PhoneSpelling | null {
  const [, plus, plain] = PLAIN.exec(written) ?? [];
  if (plain)
    return { digits: plain, isInternational: plus !== '', trunkZeroAt: null, isAreaFirst: false };
  const text = canonical(withoutMarks(written.trim()))?.replace(UNCLOSED, '$1$2') ?? null;
  if (text === null || !SHAPE.test(text) || !hasGroupingDots(text)) return null;
  const isPlus = /^\(?\+/.test(text);
  if (!isPlus && DATE.test(text)) return null;
  const [, beforeZero] = /^(.*?\d\D*)\(0\)/.exec(text) ?? [];
  const rest = beforeZero === undefined ? text : text.replace('(0)', '');
  if (rest.split('(').length > 2) return null;
  const digits = onlyDigits(rest);
  if (digits.length > MAX_DIGITS) return null;
  const trunkZeroAt = beforeZero === undefined ? null : onlyDigits(beforeZero).length;
  const isInternational = isPlus || trunkZeroAt !== null;
  return { digits, isInternational, trunkZeroAt, isAreaFirst: text.startsWith('(') };
}

const onlyDigits = (text: string) => text.replace(/\D/g, '');

function withoutMarks(text: string): string {
  for (const mark of TEXT_MARKS) {
    const marked = mark.exec(text);
    if (marked) return marked[1]!.trim();
  }
  if (TEL_URI.test(text)) return text.slice(4);
  const [, whole] = DECIMAL.exec(text) ?? [];
  if (whole) return whole;
  const [, first, rest = '', exponent] = SCIENTIFIC.exec(text) ?? [];
  return first && rest.length === Number(exponent) ? first + rest : text;
}

/** The text in ASCII, with one kind of each separator; null if it has other characters, or digits of two scripts. */
function canonical(text: string): string | null {
  let out = '';
  let zero = 0;
  for (const char of text) {
    const itsZero = zeroOf(char);
    if (itsZero !== undefined) {
      if (zero && zero !== itsZero) return null;
      zero = itsZero;
      out += String(char.codePointAt(0)! - itsZero);
    } else if ('+().'.includes(char)) out += char;
    else if (char in EQUIVALENTS) out += EQUIVALENTS[char]!;
    else if (SPACE.test(char)) out += ' ';
    else if (DASH.test(char)) out += '-';
    else return null;
  }
  return out;
}

/**
 * Whether the dots separate groups, as in `06.12.34.56.78`. A single one is a decimal point, except behind a calling code
 * (`+49.15112345678`, RFC 5733) and at the end. A last group of one digit is a decimal place.
 */
function hasGroupingDots(text: string): boolean {
  const parts = text.replace(/\.$/, '').split('.');
  if (parts.length === 1) return true;
  const last = onlyDigits(parts.at(-1)!).length;
  return last > 1 && (parts.length > 2 || /^\+\d{1,3}$/.test(parts[0]!));
}
