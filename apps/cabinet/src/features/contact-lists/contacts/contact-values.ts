import { ContactUpdate, CUSTOM_FIELDS, type Contact } from '@heliograph/contract';
import { fieldValue, parseContactDate, type TypedField } from '@heliograph/domain';
import type * as z from 'zod';
import { fetched } from '../../../core/lost-chunk.ts';

/** The editable fields of a contact. */
export const TEXT_FIELDS = [
  'phone',
  'email',
  'lastName',
  'firstName',
  'middleName',
  'date',
  'gender',
] as const;
export type EditedField = (typeof TEXT_FIELDS)[number] | (typeof CUSTOM_FIELDS)[number];
export const EDITED_FIELDS: readonly EditedField[] = [...TEXT_FIELDS, ...CUSTOM_FIELDS];

export type ContactValues = Record<EditedField, string>;
export type ContactChanges = z.input<typeof ContactUpdate>;

export function valuesOf(contact: Contact | null): ContactValues {
  const values = EDITED_FIELDS.map((field) => [field, contact?.[field] ?? '']);
  return Object.fromEntries(values) as ContactValues;
}

/** Types of fields; undefined of one without a name. */
export type TypeOf = (field: string) => TypedField | undefined;

/** One field as it is kept; an empty one is null. Dates are read as 1990-12-31, 31.12.1990 or 12/31/1990. */
export function readField(
  field: EditedField,
  typed: string,
  type?: TypedField,
): { value: string | null } | { rule: string } {
  const text = typed.trim();
  if (!text) return { value: null };
  const read = type ? fieldValue(text, type) : text;
  const value = field === 'date' ? parseContactDate(text) : read;
  if (value === null) return { rule: field === 'date' ? 'date' : type!.type };
  const checked = ContactUpdate.shape[field].safeParse(value);
  if (checked.success) return { value };
  return { rule: field === 'phone' || field === 'email' ? field : 'too_long' };
}

/** The search text when it may be a phone to add. */
export function soughtPhone(search: string): string | undefined {
  const text = search.trim();
  return /^\+?[\d\s().-]{7,25}$/.test(text) ? text : undefined;
}

/** The server's rule for phones; numbering plans are loaded on demand. */
export async function phoneRule(
  phone: string | null | undefined,
  country: string,
): Promise<'phone' | null> {
  if (!phone) return null;
  const { isPhone } = await fetched(() => import('./is-phone.ts'));
  return isPhone(phone, country) ? null : 'phone';
}

export type Broken = Partial<Record<EditedField, string>>;

/**
 * The contact of a form, or what must be mended in it. A contact is reached by phone or e-mail, so it has one. Values that are as they
 * were in `before` may be from a time before their fields had their types.
 */
export function readContact(
  values: ContactValues,
  typeOf: TypeOf = () => undefined,
  before: Contact | null = null,
): { changes: ContactChanges } | { broken: Broken } {
  const changes: Partial<Record<EditedField, string | null>> = {};
  const broken: Broken = {};
  for (const field of EDITED_FIELDS) {
    const isKept = before !== null && values[field] === before[field];
    const read = readField(field, values[field], isKept ? undefined : typeOf(field));
    if ('rule' in read) broken[field] = read.rule;
    else changes[field] = read.value;
  }
  if (!values.phone.trim() && !values.email.trim()) broken.phone = 'phoneOrEmail';
  return Object.keys(broken).length ? { broken } : { changes: changes as ContactChanges };
}
