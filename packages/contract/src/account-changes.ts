import { ACCOUNT_FILE_FIELDS, ACCOUNT_FILE_REASONS } from '@heliograph/domain';
import * as z from 'zod';
import { AccountInput } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { ErrorCode } from './errors.ts';
import { arrayOf, Id, OwnerRef, TimeZone } from './fields.ts';
import { SpendCapInput } from './spend-caps.ts';
import { tariffs } from './tariffs.ts';
import { SuspensionInput } from './users.ts';

/** Accounts of one call. */
export const MAX_ACCOUNT_CHANGES = 100;
const BODY_LIMIT = 512 * 1024;
/** Accounts of one file. */
export const MAX_FILE_ACCOUNTS = 1000;

/** What can be changed in many accounts, each part as the call for one account takes it. */
const CHANGES = {
  settings: AccountInput.pick({
    ManagerId: true,
    isTest: true,
    overdraft: true,
    types: true,
    sendernamesCheck: true,
    lookupDays: true,
  }).optional(),
  tariffs: tariffs.assign.body!.shape.tariffs.optional(),
  caps: SpendCapInput.pick({ day: true, month: true, timeZone: true }).optional(),
  suspend: SuspensionInput.optional(),
  resume: z.literal(true).optional(),
};

export const AccountChange = z
  .strictObject({ id: Id, ...CHANGES })
  .refine(({ id: _, ...parts }) => Object.values(parts).some((part) => part !== undefined), {
    message: 'A change is required.',
    params: { rule: 'required' },
  })
  .refine(({ suspend, resume }) => !suspend || !resume, {
    path: ['resume'],
    message: 'An account is either suspended or active.',
    params: { rule: 'conflict' },
  });
export type AccountChange = z.output<typeof AccountChange>;

/** What became of the change of an account. */
export const AccountChanged = z.object({
  id: Id,
  /** Why nothing of the account was changed. Null if it was. */
  error: z
    .object({
      code: ErrorCode,
      message: z.string(),
      field: z.string().nullable(),
      rule: z.string().nullable(),
    })
    .nullable(),
});
export type AccountChanged = z.infer<typeof AccountChanged>;

const Field = z.enum(ACCOUNT_FILE_FIELDS);
/** Titles of tariffs, an amount, types, a username, yes or no, or a text. Null: nothing, or that of the installation. */
const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();
/** What the rows of a file would change. Nothing is stored. */
export const AccountChangesPreview = z.object({
  /** The columns that were recognised. */
  columns: z.array(Field),
  /** Headers of the other columns. */
  unread: z.array(z.string()),
  rows: z.array(
    z.object({
      /** Number of the row in the file. */
      row: z.int(),
      /** As the file names it. */
      account: z.string(),
      /** The account that is meant. Null if it is none within reach. */
      Owner: OwnerRef.nullable(),
      /** What `POST /users/changes` takes. Null if nothing would change, or a cell is refused. */
      change: AccountChange.nullable(),
      changes: z.array(z.object({ field: Field, before: FieldValue, after: FieldValue })),
      /** The cells that are refused, and with them the row. */
      errors: z.array(z.object({ field: Field, reason: z.enum(ACCOUNT_FILE_REASONS) })),
    }),
  ),
});
export type AccountChangesPreview = z.infer<typeof AccountChangesPreview>;
export type AccountFieldValue = z.infer<typeof FieldValue>;

export const accountChanges = {
  apply: endpoint('POST', '/users/changes', {
    bound: 'limiter',
    body: z.strictObject({
      changes: arrayOf(AccountChange, { min: 1, max: MAX_ACCOUNT_CHANGES }),
    }),
    bodyLimit: BODY_LIMIT,
    response: z.object({ data: z.array(AccountChanged) }),
    can: 'users.configure',
    accept: 'resellerUp',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Change several accounts, each wholly or not at all, with a result for each',
  }),
  preview: endpoint('POST', '/users/changes/preview', {
    bound: 'nothing',
    body: z.strictObject({
      /** The id of an uploaded spreadsheet, an .xlsx or a text file. */
      from: z.strictObject({ key: Id }),
      /** Of the spend caps of accounts that have none yet. */
      timeZone: TimeZone.default('UTC'),
    }),
    response: AccountChangesPreview,
    cost: 'file',
    can: 'users.configure',
    accept: 'resellerUp',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Show what the rows of a stored file would change in accounts; changes nothing',
  }),
};
