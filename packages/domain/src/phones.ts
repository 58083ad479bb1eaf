import {
  Metadata,
  parsePhoneNumberFromString,
  type CountryCode,
  type NumberingPlan,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import { stripInvisible } from './invisible.ts';
import { readSpelling, type PhoneSpelling } from './phone-spelling.ts';

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
/** Numbers of one text. */
const MAX_PHONES = 20;
/** Between numbers: line breaks, tabs, punctuation of all scripts, the ` ::: ` of Google's contacts, an "and", and spaces in front of a plus. */
const LIST_SEPARATOR =
  /[\t\v\f\r\n\u0085\u2028\u2029;,/|\\；，、،؛]| (?::::|[&•·]|и|или|and|or|y|o|e|und|oder|et|ou) | (?=\+)/iu;
const REFUSED: PhoneReading = { kind: 'refused' };

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

/** What a text says: exactly one number, several, or none that is certain. */
export type PhoneReading =
  | ({ kind: 'one' } & ParsedPhone)
  | { kind: 'several'; phones: ParsedPhone[] }
  | { kind: 'refused' };

/** Default country of numbers without a calling code: that of the platform. */
export const HOME_COUNTRY = 'RU';

/** Country of an account, from its phone, for numbers without a calling code. */
export const accountCountry = (phone: string | null | undefined): string =>
  (phone ? phoneCountry(phone) : null) ?? HOME_COUNTRY;

/**
 * Reads a text that should be one phone number. Several numbers are returned apart, each once: `+79161234567, +79031234567`. A text
 * is refused as a whole if any part of it is not a number, so that no part is taken for a number that nobody wrote: the second of
 * `+49 30 123456/57` has only two digits, and `+62 21 5551234,5` is not 5551234 and not 55512345.
 */
export function readPhones(input: string, country = HOME_COUNTRY): PhoneReading {
  if (input.length > MAX_INPUT_LENGTH) return REFUSED;
  const text = stripInvisible(input);
  const one = readOne(text, country);
  if (one) return { kind: 'one', ...one };
  const parts = text.split(LIST_SEPARATOR).filter((part) => part.trim() !== '');
  if (parts.length > MAX_PHONES) return REFUSED;
  const phones = new Map<string, ParsedPhone>();
  for (const part of parts) {
    const read = readOne(part, country);
    if (!read) return REFUSED;
    phones.set(read.phone, read);
  }
  const [first, ...others] = phones.values();
  if (!first) return REFUSED;
  return others.length
    ? { kind: 'several', phones: [first, ...others] }
    : { kind: 'one', ...first };
}

/** The one number of a text, with the assumed country; null if the text is none, several, or uncertain. */
export function parsePhone(input: string, country = HOME_COUNTRY): ParsedPhone | null {
  const read = readPhones(input, country);
  return read.kind === 'one' ? { phone: read.phone, assumed: read.assumed } : null;
}

/** The E.164 form of the same: `normalizePhone('8 (916) 123-45-67')` is '+79161234567', `normalizePhone('98765 43210', 'IN')` '+919876543210'. */
export function normalizePhone(input: string, country = HOME_COUNTRY): string | null {
  return parsePhone(input, country)?.phone ?? null;
}

/**
 * The spelling is read by `readSpelling`. The prefixes of international calls, `00` and the country's own (`810` in Russia, `011` in
 * North America), mean a plus. The length must match the country's numbering plan; whether the number is in service is not checked.
 * Digits without a plus may be ambiguous: the country of the account decides. In countries with +7, a leading 8 followed by ten digits
 * becomes +7, and so do ten digits that are a number there (in Russia not those that begin with 7). In other countries mobile numbers
 * are written without a trunk prefix, so that `328 912 3456` is Italian in Italy although +32 is Belgium: a number of the own plan is
 * read first if it is mobile, has its area code in parentheses, or begins with 8 or 9, then the international form, then +7. Other
 * numbers that are not valid in international form are national: `612345678` is Spanish in Spain.
 */
function readOne(input: string, country: string): ParsedPhone | null {
  const trimmed = input.trim();
  if (trimmed.length > MAX_FORMATTED_LENGTH) return null;
  const spelling = readSpelling(trimmed);
  if (!spelling) return null;
  const { digits } = spelling;
  if (spelling.trunkZeroAt !== null) return written(withoutTrunk(spelling));
  if (spelling.isInternational) return written(international(digits));
  const rests = dialledAbroad(digits, country);
  if (rests.length) return written(onlyOne(rests));
  const phone = isHome(country)
    ? (home(digits, country) ?? international(digits))
    : abroad(spelling, country);
  return phone === null
    ? null
    : { phone, assumed: phone === `+${digits}` ? null : phoneCountry(phone) };
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

const isHome = (country: string) => (CALLING_CODES.get(country) ?? '7') === '7';

/**
 * Russian format: the trunk prefix 8 and ten digits, or ten digits of a mobile number, which begin with 9 (in Kazakhstan also 7), or of
 * another one that exists: `(495) 123-45-67` is Moscow, not Germany.
 */
function home(text: string, country: string): string | null {
  const isNational =
    /^(?:8\d{10}|9\d{9})$/.test(text) ||
    (country === 'KZ' && /^7\d{9}$/.test(text)) ||
    (isHome(country) && /^[348]\d{9}$/.test(text) && isValidInternational(`7${text}`));
  return isNational ? international(`7${text.slice(-10)}`) : null;
}

/** Digits that have the fixed length of the national plan are national or no number at all: a typo is nobody else's number. */
function abroad({ digits, isAreaFirst }: PhoneSpelling, country: string): string | null {
  const own = national(digits, country);
  if (lengthOf(country) === digits.length) return own?.phone ?? null;
  const isOwnFirst =
    isAreaFirst || own?.isMobile || /^[89]\d{9,10}$/.test(digits) || !isValidInternational(digits);
  return (
    (isOwnFirst ? own?.phone : null) ?? international(digits) ?? own?.phone ?? home(digits, country)
  );
}

/** The numbering plan of a country; of an unknown one, that of the platform. */
function planOf(country: string): NumberingPlan {
  const plans = new Metadata();
  plans.selectNumberingPlan((CALLING_CODES.has(country) ? country : HOME_COUNTRY) as CountryCode);
  return plans.numberingPlan!;
}

/** Length of national numbers, if the plan has a fixed one: `US` is 10, `ES` 9. Shorter ones of North America are services. */
function lengthOf(country: string): number | null {
  if (CALLING_CODES.get(country) === '1') return 10;
  const lengths = planOf(country).possibleLengths();
  return lengths.length === 1 ? lengths[0]! : null;
}

/**
 * Whether a number exists, not only has a possible length: by the ranges of the plans, or, where a country has its calling code alone,
 * by the form of its numbers, as ranges come into use before they are known.
 */
function exists(number: PhoneNumber | undefined): boolean {
  if (!number || number.isValid()) return number !== undefined;
  const [country, ...others] = MAIN_COUNTRY.get(number.countryCallingCode) ?? [];
  if (!country || others.length || country === '001') return false;
  const plan = planOf(country) as NumberingPlan & { nationalNumberPattern(): string };
  return new RegExp(`^(?:${plan.nationalNumberPattern()})$`).test(number.nationalNumber);
}

const isValidInternational = (text: string) => exists(parsePhoneNumberFromString(`+${text}`));

const written = (phone: string | null): ParsedPhone | null =>
  phone === null ? null : { phone, assumed: null };

/** Parses the national format of a country, with or without the trunk prefix. */
function national(digits: string, country: string): { phone: string; isMobile: boolean } | null {
  const parsed = parsePhoneNumberFromString(digits, country as CountryCode);
  const phone = exists(parsed) ? international(parsed!.number.slice(1)) : null;
  return phone ? { phone, isMobile: /MOBILE/.test(parsed!.getType() ?? '') } : null;
}

/** `+49 (0)30` is +4930. Where the zero is a part of the number it stays: `+39 (0)6` is +3906. */
function withoutTrunk({ digits, trunkZeroAt }: PhoneSpelling): string | null {
  const kept = `${digits.slice(0, trunkZeroAt!)}0${digits.slice(trunkZeroAt!)}`;
  const isPart = international(kept) === `+${kept}` && isValidInternational(kept);
  return international((isPart ? kept : digits).replace(/^00/, ''));
}

const dialPrefixes = new Map<string, RegExp>();

/** What follows the prefixes of international calls, `00` and those of the country. */
function dialledAbroad(digits: string, country: string): string[] {
  let pattern = dialPrefixes.get(country);
  if (!pattern) {
    pattern = new RegExp(`^(?:${planOf(country).IDDPrefix()})`);
    if (CALLING_CODES.has(country)) dialPrefixes.set(country, pattern);
  }
  const own = pattern.exec(digits)?.[0] ?? '';
  const prefixes = new Set([own, digits.startsWith('00') ? '00' : '']);
  return [...prefixes].filter(Boolean).map((prefix) => digits.slice(prefix.length));
}

/** The international number of one of these; null if several are valid. */
function onlyOne(candidates: string[]): string | null {
  const phones = [...new Set(candidates.map(international))].filter((phone) => phone !== null);
  if (phones.length < 2) return phones[0] ?? null;
  const valid = phones.filter((phone) => isValidInternational(phone.slice(1)));
  return valid.length === 1 ? valid[0]! : null;
}

function international(digits: string): string | null {
  if (digits.length < 7 || digits.length > 15) return null;
  // Mexico: mobile numbers had a 1 behind the calling code until 2019.
  if (/^521\d{10}$/.test(digits)) return international(`52${digits.slice(3)}`);
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
