import { LOCALES, OPERATION_FIELDS, OPERATION_REASONS } from '@heliograph/domain';
import * as z from 'zod';
import { SHEET_NAME_LENGTH } from './contacts.ts';
import { endpoint, ById } from './endpoint.ts';
import { Id, OwnerRef, QueryBoolean, text, Time } from './fields.ts';
import { listQuery, page } from './list.ts';

/** Rows of one bulk operation. */
export const MAX_OPERATION_ROWS = 100_000;
export const OPERATION_COMMENT_LENGTH = 500;
/** Also the number of columns that a file may have. */
const MAX_COLUMN = 999;

const Column = z.int().min(0).max(MAX_COLUMN);
/** Column numbers, from 0. */
export const OperationColumns = z.strictObject({
  account: Column,
  amount: Column,
  comment: Column.nullable().default(null),
});
export type OperationColumns = z.infer<typeof OperationColumns>;

/** `from.key` is the id of an uploaded spreadsheet, an .xlsx or a text file. */
const Source = z.strictObject({
  from: z.strictObject({ key: Id }),
  /** Name of a sheet of the workbook; by default the first one. */
  sheet: text(SHEET_NAME_LENGTH).optional(),
});

export const OperationInput = Source.extend({
  /** Recognised by the header when absent. */
  columns: OperationColumns.optional(),
  /** Whether there is a header row; detected when absent. Used only together with `columns`. */
  hasHeader: z.boolean().optional(),
});
export type OperationInput = z.infer<typeof OperationInput>;

export const OperationFile = z.strictObject({
  /** Columns of the file with the recognised fields; several may have the same field. */
  columns: z.array(z.object({ name: z.string(), field: z.enum(OPERATION_FIELDS).nullable() })),
  hasHeader: z.boolean(),
  /** The first rows below the header. */
  rows: z.array(z.array(z.string())),
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
});
export type OperationFile = z.infer<typeof OperationFile>;

export const OPERATION_STATES = ['previewed', 'running', 'finished'] as const;
export const OPERATION_OUTCOMES = ['applied', 'refused', 'cancelled'] as const;
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number];

/** Sums of the rows that can be entered, in one currency. */
export const OperationSums = z.object({
  currency: z.string(),
  accounts: z.int(),
  entries: z.int(),
  credits: z.number(),
  /** Positive. */
  debits: z.number(),
});
export type OperationSums = z.infer<typeof OperationSums>;

export const BillingOperation = z.object({
  /** Also that of its task. */
  id: Id,
  state: z.enum(OPERATION_STATES),
  filename: z.string(),
  /** SHA-256 of the file, hexadecimal. */
  hash: z.string(),
  sheet: z.string().nullable(),
  /** Rows of the file, and those of them that can be entered. */
  rows: z.int(),
  ready: z.int(),
  /** Rows that can be entered and name the account of an earlier one. */
  repeated: z.int(),
  /** Rows that cannot be entered, by reason. */
  reasons: z.partialRecord(z.enum(OPERATION_REASONS), z.int()),
  sums: z.array(OperationSums),
  /** The last operation of the account from a file with the same contents. */
  previous: z.object({ id: Id, startedAt: Time }).nullable(),
  ReportId: Id.nullable(),
  OwnerId: Id,
  createdAt: Time,
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
});
export type BillingOperation = z.infer<typeof BillingOperation>;

export const BillingOperationRow = z.object({
  id: Id,
  /** The row number in the file, from 1. */
  n: z.int(),
  /** As the file names it. */
  account: z.string(),
  Owner: OwnerRef.nullable(),
  currency: z.string().nullable(),
  /** Signed; null when it is not valid. */
  amount: z.number().nullable(),
  comment: z.string().nullable(),
  isRepeated: z.boolean(),
  /** Null until the row is processed. */
  outcome: z.enum(OPERATION_OUTCOMES).nullable(),
  reason: z.enum(OPERATION_REASONS).nullable(),
});
export type BillingOperationRow = z.infer<typeof BillingOperationRow>;

const money = { can: 'billings.generate', accept: 'managerUp', sessionOnly: true } as const;

export const billingOperations = {
  columns: endpoint('POST', '/billings/operations/columns', {
    summary: 'Read columns and first rows of a file of balance operations',
    body: Source,
    response: OperationFile,
    cost: 'file',
    ...money,
  }),
  create: endpoint('POST', '/billings/operations', {
    summary: 'Preview balance operations of a stored file; changes no balance',
    body: OperationInput,
    response: BillingOperation,
    status: 201,
    cost: 'file',
    ...money,
  }),
  get: endpoint('GET', '/billings/operations/:id', {
    params: ById,
    response: BillingOperation,
    ...money,
  }),
  rows: endpoint('GET', '/billings/operations/:id/rows', {
    summary: 'List the rows of balance operations',
    params: ById,
    query: listQuery({ order: ['n'], filter: { hasProblem: QueryBoolean } }),
    response: page(BillingOperationRow),
    ...money,
  }),
  /** Starts the previewed rows as a task. A repeated call returns the started operation. */
  run: endpoint('POST', '/billings/operations/:id/run', {
    summary: 'Enter the previewed balance operations',
    params: ById,
    body: z.strictObject({
      /** The hash of the preview. */
      hash: text(64),
      /** Language of the report. */
      locale: z.enum(LOCALES).optional(),
    }),
    response: BillingOperation,
    audit: 'billingOperations.run',
    ...money,
  }),
};
