import { CONTACT_CUSTOM_LENGTH, CONTACT_NAME_LENGTH, Email } from '@heliograph/contract';
import {
  cleanName,
  fieldValue,
  parseContactDate,
  parseGender,
  isOrganisation,
  readPhones,
  restoreCell,
  splitFullName,
  tagsOf,
  type ContactField,
  type DateOrder,
  type ParsedPhone,
  type TypedField,
} from '@heliograph/domain';
import type { Customs, CustomField } from '../contact.entity.ts';

export interface ImportedContact {
  phone: string | null;
  email: string | null;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  gender: 'male' | 'female' | null;
  /** If the day is first in the column, and if the month is. */
  date: Record<DateOrder, string | null>;
  custom: Customs;
  /** What is different in `custom` if the month is first in dates; null is no date. */
  monthFirst: Partial<Record<CustomField, string | null>>;
  tags: string[];
  /** Further phones of the cell. */
  further: string[];
}

/** Reasons for rejected rows, counted in the report. */
export const REASONS = {
  phone: 'not a phone number',
  email: 'not an e-mail address',
  too_long: 'too long',
  tags: 'too many tags, or one that is too long',
  required: 'neither a phone nor an e-mail',
} as const;
export type Reason = keyof typeof REASONS;
/** Fields whose invalid cells are ignored, so that the contact is still imported. */
export type Droppable = 'date' | 'gender' | 'fullName' | CustomField;

export interface Fields {
  /** The field of each column; null is ignored. */
  fields: (ContactField | null)[];
  /** Whether full names begin with the family name. */
  familyFirst?: boolean;
  /** Columns of phones and e-mails for contacts without one in its own column, the best first. */
  others?: { phone: number[]; email: number[] };
}

/** Options and callbacks of reading a row. */
export interface Reader {
  /** The numbering plan of phone numbers without a calling code. */
  country: string;
  /** Called for an ignored cell; dates are counted by `dateOf`. */
  drop(field: Exclude<Droppable, 'date'>): void;
  /** Called for the text of a date, whose order is decided for the whole file. */
  dateOf(text: string, field: 'date' | CustomField): void;
  /** Types of additional fields; others are texts. */
  types: ReadonlyMap<string, TypedField>;
  /** Called if the calling code of this country was added to a phone. */
  assume(country: string): void;
}

/** Parses a row to a contact, or returns the reason for rejecting it. Empty cells are ignored. */
export function contactOf(
  cells: string[],
  { fields, familyFirst = false, others }: Fields,
  reader: Reader,
): ImportedContact | Reason {
  const contact: ImportedContact = {
    phone: null,
    email: null,
    firstName: null,
    middleName: null,
    lastName: null,
    gender: null,
    date: { day: null, month: null },
    custom: {},
    monthFirst: {},
    tags: [],
    further: [],
  };
  let fullName = '';
  let assumed: string | null = null;
  const putPhone = (cell: string): boolean => {
    const [first, ...further] = phonesOf(cell, reader.country);
    if (!first) return false;
    contact.phone = first.phone;
    contact.further = further.map(({ phone }) => phone);
    ({ assumed } = first);
    return true;
  };
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    const text = field && cells[i] ? plain(cells[i]!) : '';
    if (!text) continue;
    if (field === 'fullName') {
      fullName = cleanName(text);
      continue;
    }
    if (field === 'phone') {
      if (!putPhone(cells[i]!)) return 'phone';
      continue;
    }
    if (field === 'email') {
      contact.email = emailOf(cells[i]!);
      if (!contact.email) return 'email';
      continue;
    }
    if (field === 'tags') {
      const tags = tagsOf(plainLines(cells[i]!));
      if (!tags) return 'tags';
      contact.tags = tags;
      continue;
    }
    const reason = put(contact, field!, text, reader);
    if (reason) return reason;
  }
  for (const column of contact.phone ? [] : (others?.phone ?? []))
    if (cells[column] && putPhone(cells[column])) break;
  for (const column of contact.email ? [] : (others?.email ?? []))
    if (cells[column] && (contact.email = emailOf(cells[column]))) break;
  if (fullName && isOrganisation(fullName)) {
    reader.drop('fullName');
    fullName = '';
  }
  if (fullName && !putNames(contact, fullName, familyFirst)) return 'too_long';
  if (assumed) reader.assume(assumed);
  return contact.phone || contact.email ? contact : 'required';
}

/** Separate name columns take precedence over a full name. */
function putNames(contact: ImportedContact, fullName: string, familyFirst: boolean): boolean {
  const names = splitFullName(fullName, familyFirst);
  contact.firstName ??= names.firstName;
  contact.middleName ??= names.middleName;
  contact.lastName ??= names.lastName;
  return Object.values(names).every((name) => (name?.length ?? 0) <= CONTACT_NAME_LENGTH);
}

function put(
  contact: ImportedContact,
  field: Exclude<ContactField, 'fullName' | 'phone' | 'email' | 'tags'>,
  text: string,
  { drop, dateOf, types }: Reader,
): Reason | undefined {
  switch (field) {
    case 'date':
      return putDate(contact, serialDate(text) ?? text, dateOf);
    case 'gender':
      contact.gender = parseGender(text);
      if (!contact.gender) drop('gender');
      return undefined;
    case 'firstName':
    case 'middleName':
    case 'lastName':
      if (field === 'firstName' && isOrganisation(text)) {
        drop('fullName');
        return undefined;
      }
      contact[field] = cleanName(text) || null;
      return text.length > CONTACT_NAME_LENGTH ? 'too_long' : undefined;
    default:
      return putCustom(contact, field as CustomField, text, {
        drop,
        dateOf,
        type: types.get(field),
      });
  }
}

/** A cell that does not fit the type of its field is left empty, as other dates are. */
function putCustom(
  contact: ImportedContact,
  field: CustomField,
  text: string,
  { drop, dateOf, type }: Pick<Reader, 'drop' | 'dateOf'> & { type?: TypedField },
): Reason | undefined {
  if (type?.type === 'date') {
    const day = serialDate(text) ?? text;
    dateOf(day, field);
    const dayFirst = parseContactDate(day, 'day');
    const monthFirst = parseContactDate(day, 'month');
    if (dayFirst) contact.custom[field] = dayFirst;
    if (monthFirst !== dayFirst) contact.monthFirst[field] = monthFirst;
    return undefined;
  }
  const value = type ? fieldValue(text, type) : text;
  if (value === null) drop(field);
  else contact.custom[field] = value;
  return (value?.length ?? 0) > CONTACT_CUSTOM_LENGTH ? 'too_long' : undefined;
}

/** The phones of a cell, each line of which may hold some; none if any part of it is not a number. */
export function phonesOf(cell: string, country: string): ParsedPhone[] {
  // Spreadsheets mark numbers that a person typed by `'` or `=`.
  const text = plainLines(cell).replace(/^[='‘’]+\s*(?=[+\d(])/, '');
  const read = readPhones(text, country);
  if (read.kind === 'refused') return [];
  return read.kind === 'one' ? [read] : read.phones;
}

const MAX_ADDRESSES = 20;

function putDate(contact: ImportedContact, text: string, dateOf: Reader['dateOf']): undefined {
  contact.date = { day: parseContactDate(text, 'day'), month: parseContactDate(text, 'month') };
  dateOf(text, 'date');
}

/** The first address of a cell that holds nothing but addresses, as Google's contacts and people write several. */
export function emailOf(cell: string): string | null {
  const parts = plainLines(cell)
    .toLowerCase()
    .split(/ ::: | \/ |[\s;,|]/)
    .map((part) => part.trim().replace(/^mailto:/, ''));
  const addresses = parts.filter(Boolean);
  const areAll =
    addresses.length <= MAX_ADDRESSES && addresses.every((one) => Email.safeParse(one).success);
  return areAll ? (addresses[0] ?? null) : null;
}

const DAY_MS = 86_400_000;

/** A date cell without a date format: days since 1899-12-30, accepted from 1927 to 2100. */
function serialDate(text: string): string | null {
  if (!/^[1-7]\d{4}$/.test(text) || Number(text) > 73_050) return null;
  return new Date(Date.UTC(1899, 11, 30) + Number(text) * DAY_MS).toISOString().slice(0, 10);
}

/** What spreadsheets show of a formula without a result, in the languages of Excel. */
const ERRORS = new Set(
  `#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CALC! #ПУСТО! #ДЕЛ/0! #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ЧИСЛО! #Н/Д #WERT! #BEZUG! #ZAHL! #NV
   #VALEUR! #NOM? #NOMBRE! #¡NULO! #¡DIV/0! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #N/D #VALOR! #NOME? #NÚM! #VALORE! #RIF!`.split(
    /\s+/,
  ),
);

/** A cell in one line. */
const plain = (cell: string): string => plainLines(cell).replaceAll('\n', ' ');

/**
 * Removes control characters other than line breaks, and spreadsheet escapes: `="+7..."` and a leading apostrophe mark a cell as
 * text. A cell that shows an error has no value.
 */
function plainLines(cell: string): string {
  const text = restoreCell(cell)
    .replace(/^="(.*)"$/s, '$1')
    .replace(/[\r\u2028\u2029]\n?/g, '\n')
    .replace(/(?:[^\n\P{Cc}]|[\ufeff\ufffe\uffff])+/gu, ' ')
    .toWellFormed()
    .trim();
  return ERRORS.has(text) ? '' : text;
}
