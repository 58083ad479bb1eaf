import * as z from 'zod';
import {
  CONTACT_VARIABLES,
  MAX_EMAIL_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  type ContactVariable,
} from '@heliograph/domain';
import { endpoint } from './endpoint.ts';
import {
  arrayOf,
  Assumed,
  Cursor,
  Day,
  Email,
  emptied,
  Id,
  MAX_MONEY,
  Phone,
  recordOf,
  text,
  Time,
  trimmed,
  line,
  lines,
} from './fields.ts';
import { crud, listQuery } from './list.ts';

/** Maximum lengths of contact fields, for the API and imports alike. */
export const CONTACT_NAME_LENGTH = 100;
export const CONTACT_CUSTOM_LENGTH = 500;

const custom = lines(CONTACT_CUSTOM_LENGTH).nullable();
/** Less strict than the name of a user: address books contain `O’Brien`, `Әлия` and `Anna (office 2)`. */
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
const tags = arrayOf(trimmed(MAX_TAG_LENGTH).min(1), { max: MAX_TAGS });
export const Contact = z.object({
  id: Id,
  ListId: Id,
  ...fields,
  tags: z.array(z.string()),
  createdAt: Time,
  updatedAt: Time,
});
export type Contact = z.infer<typeof Contact>;

const emptiedFields = {
  phone: emptied(fields.phone),
  email: emptied(fields.email),
  gender: emptied(fields.gender),
  date: emptied(fields.date),
};
/** Client programs of this API family send the fields of their own address books along. What a contact does not have is ignored. */
const input = z.object({
  ListId: Id,
  ...z.object({ ...fields, ...emptiedFields, tags }).partial().shape,
});
export const ContactInput = input.refine((c) => c.phone || c.email, {
  path: ['phone'],
  message: 'A phone or an e-mail is required.',
});
export const ContactUpdate = input.omit({ ListId: true }).partial();

/** Excel limits names of sheets to 31 characters, other programs do not. Longer names are compared up to this length. */
export const SHEET_NAME_LENGTH = 100;

/** Contact fields of import columns. `fullName` is split into the three names, `tags` at commas and semicolons. */
export const IMPORT_FIELDS = [...CONTACT_VARIABLES, 'fullName', 'tags'] as const;

/** `from.key` is the id of an uploaded spreadsheet. */
export const ContactImport = z.strictObject({
  ListId: Id,
  from: z.strictObject({ key: Id }),
  /** Name of a sheet of the workbook; by default the first one with recipients. */
  sheet: text(SHEET_NAME_LENGTH).optional(),
  /** Column number (0-based) to contact field or `fullName`; detected from the headers when absent. */
  columns: recordOf(text(3).regex(/^\d+$/), text(20), 1000).optional(),
  /** Whether there is a header row; detected when absent. Used only together with `columns`. */
  hasHeader: z.boolean().optional(),
  /** Handling of contacts that are already in the list. */
  existing: z.enum(['update', 'skip']).default('update'),
  /** Handling of cells with several phones: the first becomes the contact, or each one a contact of its own. */
  phones: z.enum(['first', 'each']).default('first'),
});

export const ContactPreview = z.strictObject({
  /** Columns of the file with the detected fields; null is skipped. */
  columns: z.array(z.object({ name: z.string(), field: z.enum(IMPORT_FIELDS).nullable() })),
  hasHeader: z.boolean(),
  /** What comes first in dates such as 05/12/1990, by the first rows of the column; null if it makes no difference. */
  dateOrder: z.enum(['day', 'month']).nullable(),
  /** Of the first rows, those whose cell of phones holds several. */
  several: z.int(),
  /** The first rows below the header, cells in the order of the columns. */
  rows: z.array(z.array(z.string())),
  /** Sheets of a workbook that can be imported, in order; empty for text files. */
  sheets: z.array(z.string()),
  /** The previewed sheet. */
  sheet: z.string().nullable(),
});
export type ContactPreview = z.infer<typeof ContactPreview>;

export const ImportReport = z.object({
  /** Saved contacts, created and updated. */
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  /** Contacts that were already in the list and were left unchanged. */
  skipped: z.int(),
  /** Rows replaced by a later row of the file with the same phone (or e-mail). */
  repeated: z.int(),
  rejected: z.int(),
  /** File with the rejected rows, their numbers and reasons, to correct and import again. */
  rejectedFileId: Id.nullable(),
  reasons: z.record(z.string(), z.int()),
  /** Cells without a valid date or gender, by field. They were left empty and their rows imported. */
  dropped: z.record(z.string(), z.int()),
  /** What comes first in dates such as 05/12/1990, decided for the whole column; null if it makes no difference. */
  dateOrder: z.enum(['day', 'month']).nullable(),
  /** Rows with several phones in one cell. The first one was saved, or each, as requested. */
  several: z.int(),
  /** Imported rows that a filter hides in the sheet. */
  hidden: z.int(),
  /** Of the saved contacts. */
  assumed: Assumed,
  /** Names of the skipped columns, up to 100. */
  passedOver: z.array(z.string()),
  /** The imported sheet; null for text files. */
  sheet: z.string().nullable(),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** The people of a file, to write to or to leave out, without keeping them as contacts. */
export const FileRecipients = z.strictObject({
  /** In E.164, each once, in the order of the file. */
  phones: z.array(z.string()),
  emails: z.array(z.string()),
  /** Cells that are no phone and no e-mail, up to 100. */
  refused: z.array(z.string()),
  /** Rows with such a cell. */
  refusedCount: z.int(),
  /** Cells with several phones. */
  several: z.int(),
  /** Rows that a filter hides in the sheet; they count. */
  hidden: z.int(),
  sheet: z.string().nullable(),
});
export type FileRecipients = z.infer<typeof FileRecipients>;

/** What the list of contacts filters by, apart from the account and the cursor. */
const FILTER = {
  ListId: Id,
  phone: text(40),
  email: text(MAX_EMAIL_LENGTH),
  /** Whatever its case and accents. */
  tag: text(MAX_TAG_LENGTH).min(1),
};

const field = z.enum(CUSTOM_FIELDS);
/** The date that every contact has, or an additional field. */
const anyField = z.enum(['date', ...CUSTOM_FIELDS]);
const value = line(CONTACT_CUSTOM_LENGTH).min(1);
/** What a number is compared with is as large as sums of money are. */
export const MAX_CONDITION_NUMBER = MAX_MONEY;
const number = z.number().min(-MAX_CONDITION_NUMBER).max(MAX_CONDITION_NUMBER);
export const MAX_FIELD_CONDITIONS = 10;
export const MAX_CONDITION_VALUES = 100;
export const MAX_CONDITION_DAYS = 3650;
/** After a year each day has come. */
export const MAX_ANNIVERSARY_DAYS = 365;

/** What the value of a field is compared with. Values that are no number, or no date, are none of those that are looked for. */
export const FieldCondition = z.discriminatedUnion('is', [
  z.strictObject({ field, is: z.enum(['equals', 'begins']), value }),
  z.strictObject({
    field,
    is: z.literal('oneOf'),
    values: arrayOf(value, { min: 1, max: MAX_CONDITION_VALUES }),
  }),
  z.strictObject({ field, is: z.enum(['greater', 'less']), number }),
  z.strictObject({ field, is: z.literal('between'), from: number, to: number }),
  z.strictObject({ field: anyField, is: z.enum(['before', 'after']), day: Day }),
  /** From so many days ago to today, or from today to so many days from now, by the clock of the account. */
  z.strictObject({
    field: anyField,
    is: z.enum(['lastDays', 'nextDays']),
    days: z.int().min(0).max(MAX_CONDITION_DAYS),
  }),
  /** The day and the month are those of today. */
  z.strictObject({ field: anyField, is: z.literal('anniversary') }),
  /** They are those of a day from today to so many days from now; February 29 is the 28th in other years. */
  z.strictObject({
    field: anyField,
    is: z.literal('anniversaryNextDays'),
    days: z.int().min(0).max(MAX_ANNIVERSARY_DAYS),
  }),
  z.strictObject({ field: anyField, is: z.enum(['empty', 'filled']) }),
]);
export type FieldCondition = z.output<typeof FieldCondition>;
export type FieldTest = FieldCondition['is'];

/** The filters of `GET /contacts` as an object, and conditions on fields. */
export const ContactsWhere = z
  .strictObject({
    ...FILTER,
    /** As the `$search` of the list. */
    search: line(200),
    createdAt: z.strictObject({ $gt: Time.optional(), $lt: Time.optional() }),
    fields: arrayOf(FieldCondition, { max: MAX_FIELD_CONDITIONS }),
  })
  .partial();
export type ContactsWhere = z.output<typeof ContactsWhere>;

/** Contacts by their ids, or all in a list that a filter finds, which are gone through in steps. */
const ChosenContacts = z.strictObject({
  ids: arrayOf(Id, { min: 1, max: 1000 }).optional(),
  where: ContactsWhere.required({ ListId: true }).optional(),
  /** `next` of the step before; only with `where`. */
  after: Id.optional(),
});
const chosen = <S extends z.ZodType<z.output<typeof ChosenContacts>>>(schema: S) =>
  schema
    .refine((body) => !body.ids !== !body.where, {
      path: ['where'],
      message: 'Either ids or a filter is required.',
    })
    .refine((body) => body.where || !body.after, {
      path: ['after'],
      message: 'Only a filter is followed in steps.',
    });

export const ContactRemoval = chosen(ChosenContacts);

export const ContactTagging = chosen(
  ChosenContacts.extend({ add: tags.optional(), remove: tags.optional() }),
).refine((body) => body.add?.length || body.remove?.length, {
  path: ['add'],
  message: 'A tag to add or to remove is required.',
});

/** With `copy` they stay where they are as well. */
export const ContactMove = chosen(
  ChosenContacts.extend({ to: Id, copy: z.boolean().default(false) }),
);

export const ContactsMoved = z.object({
  /** Contacts that the list got. */
  added: z.int(),
  /** Contacts left as they are, as the list has their phone, or their e-mail and no phone, already. */
  existing: z.int(),
  /** The last contact of the step; null when there are no more. */
  next: Id.nullable(),
});

export const ContactsTagged = z.object({
  /** Contacts whose tags have changed. */
  changed: z.int(),
  /** Contacts left as they are, as they would have more than 20 tags. */
  full: z.int(),
  /** The last contact of the step; null when there are no more. */
  next: Id.nullable(),
});

const base = crud('contacts', {
  item: Contact,
  input,
  update: ContactUpdate,
  query: listQuery({
    order: ['createdAt', 'phone', 'lastName', 'updatedAt'],
    filter: { ...FILTER, OwnerId: Id, cursor: Cursor },
    range: ['createdAt'],
    search: true,
  }),
});

export const contacts = {
  ...base,
  create: endpoint('POST', '/contacts', {
    quota: 'contacts',
    body: ContactInput,
    response: Contact,
    status: 201,
    can: 'contacts.create',
    idempotent: true,
  }),
  /** Chosen as by `tag`. */
  removeMany: endpoint('POST', '/contacts/remove', {
    bound: 'nothing',
    summary: 'Remove several contacts',
    body: ContactRemoval,
    response: z.object({
      removed: z.int(),
      /** The last contact of the step; null when there are no more. */
      next: Id.nullable(),
    }),
    can: 'contacts.remove',
  }),
  /**
   * Of contacts by their ids, or of all in a list that a filter finds: in steps, each of which names the contact after which the next one
   * begins. Ignores ids that do not exist or that the caller cannot access.
   */
  tag: endpoint('POST', '/contacts/tags', {
    bound: 'nothing',
    summary: 'Add and remove tags of several contacts',
    body: ContactTagging,
    response: ContactsTagged,
    can: 'contacts.update',
  }),
  /** Chosen as by `tag`, of the account that the list is of. Moving takes the permission to remove as well. */
  move: endpoint('POST', '/contacts/move', {
    quota: 'contacts',
    summary: 'Move or copy several contacts to another list',
    body: ContactMove,
    response: ContactsMoved,
    can: 'contacts.create',
  }),
  preview: endpoint('POST', '/contacts/preview', {
    body: ContactImport.pick({ from: true, sheet: true }),
    response: ContactPreview,
    can: 'contacts.create',
    cost: 'file',
    summary: 'Preview an import: columns and first rows of a file',
  }),
  recipients: endpoint('POST', '/contacts/recipients', {
    body: ContactImport.pick({ from: true, sheet: true, phones: true }),
    response: FileRecipients,
    can: 'contacts.create',
    cost: 'file',
    summary: 'Read the phone numbers and e-mail addresses of a file',
  }),
  import: endpoint('PUT', '/contacts', {
    quota: 'contacts',
    summary: 'Import contacts from a stored file',
    body: ContactImport,
    response: ImportReport,
    can: 'contacts.create',
    cost: 'file',
    idempotent: true,
  }),
};
