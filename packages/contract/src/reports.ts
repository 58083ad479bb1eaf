import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { BillingSource, BillingStatus } from './billings.ts';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, many, Owner, text, Time, TimeZone, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';
import {
  REPORT_PRESET_ALIASES,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  type ReportPreset,
  type ReportSource,
} from './report-presets.ts';
import {
  REPORT_DELIMITERS,
  REPORT_ENCODINGS,
  REPORT_FORMATS,
  ReportDelimiter,
} from './settings-user.ts';
import { Outcome, SendingType, Status } from './types.ts';

/** The longest range of a report in days. Source: the specification of the account area, section 9. */
export const MAX_REPORT_DAYS = 186;
/** Unfinished reports of an account. */
export const MAX_UNFINISHED_REPORTS = 100;

export const REPORT_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ReportState = (typeof REPORT_STATES)[number];
/** Why a report failed. */
export const REPORT_FAILURES = [
  'interrupted',
  'forbidden',
  'quota_exceeded',
  'too_large',
  'too_slow',
  'storage_unavailable',
  'internal',
] as const;
export type ReportFailure = (typeof REPORT_FAILURES)[number];

const alias = (name: unknown) =>
  typeof name === 'string' && Object.hasOwn(REPORT_PRESET_ALIASES, name)
    ? REPORT_PRESET_ALIASES[name]
    : name;
export const ReportPresetName = z.preprocess(alias, z.enum(REPORT_PRESET_NAMES));

const common = {
  id: many(Id),
  OwnerId: Id,
  status: many(text(20)),
};
const FILTERS = {
  sendings: {
    ...common,
    status: many(Status),
    outcome: many(Outcome),
    type: many(SendingType),
    groupId: Id,
    chainId: Id,
    live: z.boolean(),
    recipient: text(254),
  },
  billings: {
    ...common,
    status: many(BillingStatus),
    source: many(BillingSource),
    TariffId: Id,
    /** As the `$search` of the list. */
    search: trimmed(200),
  },
} satisfies Record<ReportSource, z.ZodRawShape>;
const SendingsWhere = z.strictObject(FILTERS.sendings).partial();
const BillingsWhere = z.strictObject(FILTERS.billings).partial();
const WHERE = { sendings: SendingsWhere, billings: BillingsWhere };
export type SendingsWhere = z.output<typeof SendingsWhere>;
export type BillingsWhere = z.output<typeof BillingsWhere>;

/** The filters of `GET /sendings` and of `GET /billings`; which of them a report takes depends on its preset. */
export const ReportFilter = z
  .strictObject({ ...FILTERS.billings, ...FILTERS.sendings, status: many(text(20)) })
  .partial();
export const ReportWhere = ReportFilter.extend({
  /** Both bounds are excluded. Absent: up to now, and from `MAX_REPORT_DAYS` before. */
  createdAt: z.strictObject({ $gt: Time.optional(), $lt: Time.optional() }).optional(),
});
export type ReportWhere = z.output<typeof ReportWhere>;

/** What a request and a schedule have in common. */
export const reportOptions = {
  preset: ReportPresetName,
  format: z.enum(REPORT_FORMATS).default('csv'),
  /** Of CSV files; workbooks are always UTF-8. */
  encoding: z.enum(REPORT_ENCODINGS).default('win1251'),
  delimiter: ReportDelimiter.default(';'),
  /** Language of the headers; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
  timeZone: TimeZone.optional(),
};

/** Refuses filters that the preset's source does not have, and wrong values of those that it has. */
export function checkWhere(
  { preset, where }: { preset: ReportPreset; where: Record<string, unknown> },
  ctx: z.RefinementCtx,
): void {
  const { createdAt: _, ...filter } = where;
  // Without zod's own sentences: the server writes those of the API.
  const options = { error: () => '', reportInput: true };
  const { error } = WHERE[REPORT_PRESETS[preset].source].safeParse(filter, options);
  for (const issue of error?.issues ?? [])
    ctx.addIssue({ ...issue, path: ['where', ...issue.path] } as z.core.$ZodRawIssue);
}

export const ReportInput = z
  .strictObject({ ...reportOptions, where: ReportWhere.default({}) })
  .superRefine(checkWhere);
export type ReportInput = z.output<typeof ReportInput>;

export const Report = z.object({
  id: Id,
  /** Same value as `id`: the id of the file in the storage once the report is completed. */
  key: Id,
  preset: z.enum(REPORT_PRESET_NAMES),
  format: z.enum(REPORT_FORMATS),
  encoding: z.enum(REPORT_ENCODINGS),
  delimiter: z.enum(REPORT_DELIMITERS),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
  where: z.record(z.string(), z.unknown()),
  state: z.enum(REPORT_STATES),
  progress: z.object({
    /** Rows written so far. */
    rows: z.int(),
    /** Estimated number of rows while the report runs; null while it is unknown. */
    total: z.int().nullable(),
  }),
  /** Characters that the encoding lacks, written as similar ones. */
  replaced: z.int(),
  reason: z.enum(REPORT_FAILURES).nullable(),
  filename: z.string(),
  /** In bytes; null without a file. */
  size: z.int().nullable(),
  /** False when there is no file (any more). */
  hasFile: z.boolean(),
  expiresAt: Time.nullable(),
  ScheduleId: Id.nullable(),
  UserId: Id,
  OwnerId: Id,
  Owner: Owner.optional(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Report = z.infer<typeof Report>;

/** The rows of a grouped report, as `GET /reports?$preset=` answers them. */
export const ReportRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
export type ReportRow = z.infer<typeof ReportRow>;

const ReportPage = page(Report);
/** Lists of reports are typed as such; with `$preset` the same call answers the rows of that report. */
const ReportsOrRows = z.union([ReportPage, page(ReportRow)]) as unknown as typeof ReportPage;

export const reports = {
  find: endpoint('GET', '/reports', {
    query: listQuery({
      order: ['createdAt'],
      filter: {
        /** Answers the rows of this grouped report instead of the list of reports. */
        $preset: ReportPresetName,
        state: many(z.enum(REPORT_STATES)),
        preset: many(ReportPresetName),
        id: many(Id),
        OwnerId: Id,
      },
      range: ['createdAt'],
    }),
    response: ReportsOrRows,
    can: 'reports.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/reports/:id', { params: ById, response: Report, can: 'reports.get' }),
  create: endpoint('POST', '/reports', {
    body: ReportInput,
    response: z.object({ key: Id }),
    status: 201,
    can: 'reports.create',
    cost: 'file',
    idempotent: true,
    summary: 'Request a report; a worker writes it to the storage',
  }),
  cancel: endpoint('POST', '/reports/:id/cancel', {
    bound: 'nothing',
    params: ById,
    response: Report,
    can: 'reports.create',
    summary: 'Cancel a pending or running report',
  }),
  remove: endpoint('DELETE', '/reports/:id', {
    params: ById,
    response: Removed,
    can: 'reports.remove',
  }),
};
