import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { withoutInvisible } from './invisible.ts';

/** National digits after the calling code, where every number of the plan has the same length. */
const PLAN_LENGTHS: Record<string, number> = {
  '373': 8,
  '374': 8,
  '375': 9,
  '380': 9,
  '992': 9,
  '993': 8,
  '994': 9,
  '995': 9,
  '996': 9,
  '998': 9,
};

/** Fifteen digits, each with a few separators. */
const MAX_TYPED_LENGTH = 64;
/** The same with spaces and invisible marks around them. */
const MAX_INPUT_LENGTH = 1000;

const MAIN_COUNTRY = new Map(
  Object.entries(metadata.country_calling_codes as Record<string, string[]>),
);

/**
 * The E.164 form of whatever was typed or pasted, or null when it cannot be a phone.
 *
 * Only separators may stand between the digits. A leading 8 becomes +7 only in front of ten digits
 * and without a typed plus (`+8...` is Japan, China and others); `00` is a typed plus, and so is `810`, by which
 * Russia calls abroad; ten digits beginning with 9 are Russian. Elsewhere the length must suit the country's plan; whether a number
 * is in service is not asked. `normalizePhone('8 (916) 123-45-67')` is '+79161234567'.
 */
export function normalizePhone(input: string): string | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const typed = withoutInvisible(input).trim();
  if (typed.length > MAX_TYPED_LENGTH) return null;
  const digits = digitsOf(typed);
  if (digits === null) return null;
  if (digits.plus) return international(digits.text);
  if (digits.text.startsWith('00')) return international(digits.text.slice(2));
  // No area code of +7 begins with 1, so that nothing else can be meant.
  if (digits.text.startsWith('810')) return international(digits.text.slice(3));
  if (digits.text.length === 11 && digits.text.startsWith('8')) {
    return international(`7${digits.text.slice(1)}`);
  }
  if (digits.text.length === 10 && digits.text.startsWith('9')) {
    return international(`7${digits.text}`);
  }
  return international(digits.text);
}

const SEPARATORS = new Set(' \u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013\u2014().,/');

/** The digits and whether a plus was typed; null when another character stands among them. */
function digitsOf(typed: string): { text: string; plus: boolean } | null {
  let plus = false;
  let text = '';
  for (let i = 0; i < typed.length; i++) {
    const char = typed[i]!;
    if (char >= '0' && char <= '9') text += char;
    else if ((char === '+' || char === '\uff0b') && text === '' && !plus) plus = true;
    else if (!SEPARATORS.has(char)) return null;
    if (text.length > 17) return null;
  }
  return text === '' ? null : { text, plus };
}

function international(digits: string): string | null {
  if (digits.length < 7 || digits.length > 15) return null;
  const phone = `+${digits}`;
  const first = digits[1]!;
  // +7: Russia uses 3, 4, 8 and 9 after the code, Kazakhstan 6 and 7.
  if (digits[0] === '7') return digits.length === 11 && first >= '3' ? phone : null;
  const length = PLAN_LENGTHS[digits.slice(0, 3)];
  if (length !== undefined) return digits.length === length + 3 ? phone : null;
  const parsed = parsePhoneNumberFromString(phone);
  // The library drops a national zero: +44 (0)20 ... is +4420 ...
  return parsed?.isPossible() && parsed.number.length > 7 ? parsed.number : null;
}

/**
 * The country of an E.164 phone as ISO 3166-1 alpha-2, by its calling code, or null when no country
 * has the code. +7 is Kazakhstan before 6 and 7 and Russia elsewhere. Where countries share a code
 * (+1, +44 ...) and the number does not tell, it is the main one.
 * `phoneCountry('+77011234567')` is 'KZ'.
 */
export function phoneCountry(phone: string): string | null {
  if (!phone.startsWith('+') || phone.length > MAX_TYPED_LENGTH) return null;
  if (phone[1] === '7') return phone[2] === '6' || phone[2] === '7' ? 'KZ' : 'RU';
  for (let length = 1; length <= 3; length++) {
    const countries = MAIN_COUNTRY.get(phone.slice(1, 1 + length));
    if (countries === undefined) continue;
    // '001' stands for services of no country (+800, +883 ...).
    if (countries[0] === '001') return null;
    if (countries.length === 1) return countries[0]!;
    return parsePhoneNumberFromString(phone)?.country ?? countries[0]!;
  }
  return null;
}
