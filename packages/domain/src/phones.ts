import { Metadata, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { stripInvisible } from './invisible.ts';

/** Number of digits after the calling code, for numbering plans with a fixed length. */
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

/** Fifteen digits with separators. */
const MAX_FORMATTED_LENGTH = 64;
/** The same with surrounding spaces and invisible characters. */
const MAX_INPUT_LENGTH = 1000;

const MAIN_COUNTRY = new Map(
  Object.entries(metadata.country_calling_codes as Record<string, string[]>),
);
/** `RU` is '7'. */
const CALLING_CODES = new Map(
  [...MAIN_COUNTRY].flatMap(([code, countries]) => countries.map((one) => [one, code] as const)),
);

/** A phone number in E.164, and the country whose calling code was assumed; null if the number was international. */
export interface ParsedPhone {
  phone: string;
  assumed: string | null;
}

/** Default country of numbers without a calling code: that of the platform. */
export const HOME_COUNTRY = 'RU';

/** Country of an account, from its phone, for numbers without a calling code. */
export const accountCountry = (phone: string | null | undefined): string =>
  (phone ? phoneCountry(phone) : null) ?? HOME_COUNTRY;

/**
 * The E.164 form of a phone number in any format; null if it is not valid.
 *
 * Only separators are allowed between the digits. The prefixes `00` and `810` (international calls from Russia) mean a plus. The
 * length must match the country's numbering plan; whether the number is in service is not checked. Ten or eleven digits without a
 * plus that begin with 8 or 9 are ambiguous: the country of the account decides. In countries with +7, a leading 8 followed by ten
 * digits becomes +7, and ten digits that begin with 9 are a mobile number (in Kazakhstan also 7). In other countries, the national
 * plan is tried first, then the international form, then +7. Other numbers that are not valid in international form are national:
 * `612345678` is Spanish in Spain.
 * `normalizePhone('8 (916) 123-45-67')` is '+79161234567', `normalizePhone('98765 43210', 'IN')` '+919876543210'.
 */
export function normalizePhone(input: string, country = HOME_COUNTRY): string | null {
  return parsePhone(input, country)?.phone ?? null;
}

/** The same as `normalizePhone`, with the assumed country. */
export function parsePhone(input: string, country = HOME_COUNTRY): ParsedPhone | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const trimmed = stripInvisible(input).trim();
  if (trimmed.length > MAX_FORMATTED_LENGTH) return null;
  const digits = digitsOf(trimmed);
  if (digits === null) return null;
  const { text } = digits;
  if (digits.plus) return written(international(text));
  if (text.startsWith('00')) return written(international(text.slice(2)));
  // No area code of +7 begins with 1, so 810 is unambiguous.
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
 * The E.164 form of a phone number from a carrier; null if it is not valid. Carriers send international numbers, with or without a
 * plus. Numbers that are not valid in that form are parsed by `normalizePhone`.
 * `carrierPhone('84912345678')` is '+84912345678' (Vietnam), `carrierPhone('89161234567')` '+79161234567'.
 */
export function carrierPhone(input: string): string | null {
  const text = input.length > MAX_FORMATTED_LENGTH ? '' : input.trim();
  if (/^\d{7,15}$/.test(text) && isValidInternational(text)) return international(text);
  return normalizePhone(input);
}

/** Russian format: the trunk prefix 8 and ten digits, or ten digits of a mobile number, which begin with 9 (in Kazakhstan also 7). */
function home(text: string, country: string): string | null {
  const isNational =
    /^(?:8\d{10}|9\d{9})$/.test(text) || (country === 'KZ' && /^7\d{9}$/.test(text));
  return isNational ? international(`7${text.slice(-10)}`) : null;
}

/**
 * Digits that begin with 8 or 9, or that have the fixed length of the national plan, are parsed as national first. So are digits
 * that are not valid in international form.
 */
function abroad(text: string, country: string): string | null {
  const own = () => national(text, country);
  const isOwnFirst =
    /^[89]\d{9,10}$/.test(text) || lengthOf(country) === text.length || !isValidInternational(text);
  return (isOwnFirst ? own() : null) ?? international(text) ?? own() ?? home(text, country);
}

/** Length of national numbers, if the plan has a fixed one: `US` is 10, `ES` 9. */
function lengthOf(country: string): number | null {
  const plans = new Metadata();
  plans.selectNumberingPlan(country as CountryCode);
  const lengths = plans.numberingPlan?.possibleLengths() ?? [];
  return lengths.length === 1 ? lengths[0]! : null;
}

/** Whether the digits are a valid international number, not only one of a possible length. */
const isValidInternational = (text: string) =>
  parsePhoneNumberFromString(`+${text}`)?.isValid() ?? false;

const written = (phone: string | null): ParsedPhone | null =>
  phone === null ? null : { phone, assumed: null };

/** Parses the national format of a country, with or without the trunk prefix. */
function national(digits: string, country: string): string | null {
  const parsed = parsePhoneNumberFromString(digits, country as CountryCode);
  return parsed?.isValid() ? international(parsed.number.slice(1)) : null;
}

const SEPARATORS = new Set(' \u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013\u2014().,/');

/** The digits, and whether they begin with a plus; null if there are other characters than separators. */
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
 * The country of a phone number in E.164, as ISO 3166-1 alpha-2; null if no country has its calling code. +7 followed by 6 or 7 is
 * Kazakhstan, otherwise Russia. If several countries share a calling code (+1, +44 ...) and the number is ambiguous, the main one.
 * `phoneCountry('+77011234567')` is 'KZ'.
 */
export function phoneCountry(phone: string): string | null {
  if (!phone.startsWith('+') || phone.length > MAX_FORMATTED_LENGTH) return null;
  if (phone[1] === '7') return phone[2] === '6' || phone[2] === '7' ? 'KZ' : 'RU';
  for (let length = 1; length <= 3; length++) {
    const countries = MAIN_COUNTRY.get(phone.slice(1, 1 + length));
    if (countries === undefined) continue;
    // '001' is the region of non-geographic codes (+800, +883 ...).
    if (countries[0] === '001') return null;
    if (countries.length === 1) return countries[0]!;
    return parsePhoneNumberFromString(phone)?.country ?? countries[0]!;
  }
  return null;
}
