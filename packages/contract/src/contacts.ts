import * as z from 'zod';
import { CONTACT_VARIABLES, MAX_EMAIL_LENGTH, type ContactVariable } from '@heliograph/domain';
import { endpoint } from './endpoint.ts';
import {
  arrayOf,
  Assumed,
  Cursor,
  Day,
  Email,
  Id,
  Phone,
  recordOf,
  text,
  Time,
  trimmed,
} from './fields.ts';
import { crud, listQuery } from './list.ts';

/** Longest values of a contact, the same by hand and by import. */
export const CONTACT_NAME_LENGTH = 100;
export const CONTACT_CUSTOM_LENGTH = 500;

const custom = text(CONTACT_CUSTOM_LENGTH).nullable();
/** Looser than the name of a user: an address book holds `O’Brien`, `Әлия` and `Anna (office 2)`. */
const name = trimmed(CONTACT_NAME_LENGTH).nullable();
type CustomField = Extract<ContactVariable, `custom${string}`>;
/** custom01 to custom20. */
export const CUSTOM_FIELDS = CONTACT_VARIABLES.filter((name): name is CustomField =>
  name.startsWith('custom'),
);
const customs = Object.fromEntries(CUSTOM_FIELDS.map((name) => [name, custom])) as Record<
  (typeof CUSTOM_FIELDS)[number],
  typeof custom
>;

const fields = {
  phone: Phone.nullable(),
  email: Email.nullable(),
  firstName: name,
  middleName: name,
  lastName: name,
  gender: z.enum(['male', 'female']).nullable(),
  date: Day.nullable(),
  ...customs,
};
export const Contact = z.object({
  id: Id,
  ListId: Id,
  ...fields,
  createdAt: Time,
  updatedAt: Time,
});
export type Contact = z.infer<typeof Contact>;

const input = z.strictObject({ ListId: Id, ...z.object(fields).partial().shape });
export const ContactInput = input.refine((c) => c.phone || c.email, {
  path: ['phone'],
  message: 'A phone or an e-mail is required.',
});
export const ContactUpdate = input.omit({ ListId: true }).partial();

/** Names of sheets have 31 characters in Excel, and any number elsewhere; of longer ones as many count. */
export const SHEET_NAME_LENGTH = 100;

/** What a column of a file can be taken for: `fullName` is split into the three names. */
export const IMPORT_FIELDS = [...CONTACT_VARIABLES, 'fullName'] as const;

/** `from.key` is the id of an uploaded spreadsheet. */
export const ContactImport = z.strictObject({
  ListId: Id,
  from: z.strictObject({ key: Id }),
  /** A sheet of the workbook by its name; the first one with recipients when absent. */
  sheet: text(SHEET_NAME_LENGTH).optional(),
  /** Column number (0-based) to contact field or `fullName`; found from the headers when absent. */
  columns: recordOf(text(3).regex(/^\d+$/), text(20), 1000).optional(),
  /** Whether a row names the columns; found out when absent. Counts only beside `columns`. */
  hasHeader: z.boolean().optional(),
  /** What happens to contacts that the list has already. */
  existing: z.enum(['update', 'skip']).default('update'),
});

export const ContactPreview = z.strictObject({
  /** The columns of the file and what each is taken for; null is passed over. */
  columns: z.array(z.object({ name: z.string(), field: z.enum(IMPORT_FIELDS).nullable() })),
  hasHeader: z.boolean(),
  /** The first rows below the header, cells in the order of the columns. */
  rows: z.array(z.array(z.string())),
  /** The sheets of a workbook that can be chosen, in its order; none of a text. */
  sheets: z.array(z.string()),
  /** The one that is shown. */
  sheet: z.string().nullable(),
});
export type ContactPreview = z.infer<typeof ContactPreview>;

export const ImportReport = z.object({
  /** What was saved, new and updated. */
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  /** Contacts that the list had already and that stayed as they were. */
  skipped: z.int(),
  /** Rows whose phone (or e-mail) a later row of the file has again: that one counts. */
  repeated: z.int(),
  rejected: z.int(),
  /** A file of the rejected rows with number and reason, to be corrected and imported again. */
  rejectedFileId: Id.nullable(),
  reasons: z.record(z.string(), z.int()),
  /** Cells that were left empty because they hold no date or gender, by field; their rows were taken. */
  dropped: z.record(z.string(), z.int()),
  /** Of the contacts that were taken. */
  assumed: Assumed,
  /** The names of the columns that were passed over, a hundred at most. */
  passedOver: z.array(z.string()),
  /** The sheet that was read; null of a text. */
  sheet: z.string().nullable(),
});
export type ImportReport = z.infer<typeof ImportReport>;

const base = crud('contacts', {
  item: Contact,
  input,
  update: ContactUpdate,
  query: listQuery({
    order: ['createdAt', 'phone', 'lastName', 'updatedAt'],
    filter: {
      ListId: Id,
      phone: text(40),
      email: text(MAX_EMAIL_LENGTH),
      OwnerId: Id,
      cursor: Cursor,
    },
    search: true,
  }),
});

export const contacts = {
  ...base,
  create: endpoint('POST', '/contacts', {
    body: ContactInput,
    response: Contact,
    status: 201,
    can: 'contacts.create',
  }),
  /** Those that are not within reach, or gone already, are passed over. */
  removeMany: endpoint('POST', '/contacts/remove', {
    summary: 'Remove several contacts',
    body: z.strictObject({ ids: arrayOf(Id, { min: 1, max: 1000 }) }),
    response: z.object({ removed: z.int() }),
    can: 'contacts.remove',
  }),
  preview: endpoint('POST', '/contacts/preview', {
    body: ContactImport.pick({ from: true, sheet: true }),
    response: ContactPreview,
    can: 'contacts.create',
    cost: 'file',
    summary: 'What an import would make of a file: its columns and first rows',
  }),
  import: endpoint('PUT', '/contacts', {
    summary: 'Import contacts from a stored file',
    body: ContactImport,
    response: ImportReport,
    can: 'contacts.create',
    cost: 'file',
    idempotent: true,
  }),
};
