import { Metadata, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { stripInvisible } from './invisible.ts';

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
/** `RU` is '7'. */
const CALLING_CODES = new Map(
  [...MAIN_COUNTRY].flatMap(([code, countries]) => countries.map((one) => [one, code] as const)),
);

/** A phone, and whose calling code was added to it because none was written; null where it was. */
export interface ParsedPhone {
  phone: string;
  assumed: string | null;
}

/** Whose plan is meant by numbers without a calling code when nothing else is known: of the country the platform is in. */
export const HOME_COUNTRY = 'RU';

/** Whose plan an account's numbers are of: that of its own phone. */
export const accountCountry = (phone: string | null | undefined): string =>
  (phone ? phoneCountry(phone) : null) ?? HOME_COUNTRY;

/**
 * The E.164 form of whatever was typed or pasted, or null when it cannot be a phone.
 *
 * Only separators may stand between the digits. `00` is a typed plus, and so is `810`, by which Russia calls abroad. Elsewhere the
 * length must suit the country's plan; whether a number is in service is not asked. Without a plus ten or eleven digits that
 * begin with 8 or 9 may be of several plans: the country of the account decides. In one of +7 a leading 8 in front of ten digits
 * becomes +7, and ten digits that begin with 9 are mobile (in Kazakhstan with 7, too); in another its own plan comes first, then the
 * number as it is written, then +7. Shorter ones that are nobody's as they are written are the country's: `612345678` is Spanish in Spain. `normalizePhone('8 (916) 123-45-67')` is '+79161234567', `normalizePhone('98765 43210', 'IN')` '+919876543210'.
 */
export function normalizePhone(input: string, country = HOME_COUNTRY): string | null {
  return parsePhone(input, country)?.phone ?? null;
}

/** The same, with what was assumed. */
export function parsePhone(input: string, country = HOME_COUNTRY): ParsedPhone | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const typed = stripInvisible(input).trim();
  if (typed.length > MAX_TYPED_LENGTH) return null;
  const digits = digitsOf(typed);
  if (digits === null) return null;
  const { text } = digits;
  if (digits.plus) return written(international(text));
  if (text.startsWith('00')) return written(international(text.slice(2)));
  // No area code of +7 begins with 1, so that nothing else can be meant.
  if (text.startsWith('810')) return written(international(text.slice(3)));
  const phone =
    (CALLING_CODES.get(country) ?? '7') === '7'
      ? (home(text, country) ?? international(text))
      : abroad(text, country);
  return phone === null
    ? null
    : { phone, assumed: phone === `+${text}` ? null : phoneCountry(phone) };
}

/**
 * The E.164 form of the number of a subscriber as a carrier writes it, or null. Carriers write international numbers, with or
 * without a plus; what is not a number in that form is read as `normalizePhone` reads it.
 * `carrierPhone('84912345678')` is '+84912345678' (Vietnam), `carrierPhone('89161234567')` '+79161234567'.
 */
export function carrierPhone(input: string): string | null {
  const text = input.length > MAX_TYPED_LENGTH ? '' : input.trim();
  if (/^\d{7,15}$/.test(text) && isServed(text)) return international(text);
  return normalizePhone(input);
}

/** Eleven digits behind the 8 of trunk calls, or the ten of a mobile number; those of Kazakhstan begin with 7. */
function home(text: string, country: string): string | null {
  const isNational =
    /^(?:8\d{10}|9\d{9})$/.test(text) || (country === 'KZ' && /^7\d{9}$/.test(text));
  return isNational ? international(`7${text.slice(-10)}`) : null;
}

/**
 * A number that begins with 8 or 9 is the country's own if it can be, and so is one of the only length that its numbers have.
 * Any other is when it is nobody's as it is written.
 */
function abroad(text: string, country: string): string | null {
  const own = () => national(text, country);
  const isOwnFirst =
    /^[89]\d{9,10}$/.test(text) || lengthOf(country) === text.length || !isServed(text);
  return (isOwnFirst ? own() : null) ?? international(text) ?? own() ?? home(text, country);
}

/** Digits of every national number, where they have one length: `US` is 10, `ES` 9. */
function lengthOf(country: string): number | null {
  const plans = new Metadata();
  plans.selectNumberingPlan(country as CountryCode);
  const lengths = plans.numberingPlan?.possibleLengths() ?? [];
  return lengths.length === 1 ? lengths[0]! : null;
}

/** Whether it is a number of the plan of its calling code, not only of a length that is possible there. */
const isServed = (text: string) => parsePhoneNumberFromString(`+${text}`)?.isValid() ?? false;

const written = (phone: string | null): ParsedPhone | null =>
  phone === null ? null : { phone, assumed: null };

/** As the country itself writes it, with or without the digit before its area codes. */
function national(digits: string, country: string): string | null {
  const parsed = parsePhoneNumberFromString(digits, country as CountryCode);
  return parsed?.isValid() ? international(parsed.number.slice(1)) : null;
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
  if (!parsed?.isPossible() || parsed.number.length <= 7) return null;
  // The library drops a national zero: +44 (0)20 ... is +4420 ..., which has to be a number, too.
  return parsed.number === phone ? phone : international(parsed.number.slice(1));
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
