import { LOCALES, REPEAT_FREQUENCIES } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Id, Owner, Time, TimeZone } from './fields.ts';
import { listQuery, page } from './list.ts';
import { REPORT_PRESET_NAMES } from './report-presets.ts';
import { checkWhere, reportOptions, ReportFilter } from './reports.ts';
import {
  REPORT_DELIMITERS,
  REPORT_ENCODINGS,
  REPORT_FORMATS,
  ReportDelimiter,
} from './settings-user.ts';

/** Schedules of an account. */
export const MAX_REPORT_SCHEDULES = 10;

const timing = {
  frequency: z.enum(REPEAT_FREQUENCIES),
  /** From 1, Monday, to 7; required with `weekly`. */
  weekday: z.int().min(1).max(7).nullish(),
  /** In shorter months the last day; required with `monthly`. */
  day: z.int().min(1).max(31).nullish(),
  /** In the time zone of the schedule. */
  hour: z.int().min(0).max(23),
};

const fields = z.strictObject({
  ...reportOptions,
  ...timing,
  timeZone: TimeZone,
  /** Without a time range, which follows from the frequency. */
  where: ReportFilter.default({}),
  /** False while it is paused. */
  isActive: z.boolean().default(true),
});

export const ReportScheduleInput = fields.superRefine((schedule, ctx) => {
  checkWhere(schedule, ctx);
  const field = { daily: null, weekly: 'weekday', monthly: 'day' } as const;
  const name = field[schedule.frequency];
  if (name && !schedule[name])
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: 'The field is required.',
      params: { rule: 'required' },
    });
});
export type ReportScheduleInput = z.output<typeof ReportScheduleInput>;
/** Without the defaults, which would overwrite what is stored. */
export const ReportScheduleUpdate = z
  .strictObject({
    ...fields.shape,
    format: z.enum(REPORT_FORMATS),
    encoding: z.enum(REPORT_ENCODINGS),
    delimiter: ReportDelimiter,
    where: ReportFilter,
    isActive: z.boolean(),
  })
  .partial();
export type ReportScheduleUpdate = z.output<typeof ReportScheduleUpdate>;

export const ReportSchedule = z.object({
  id: Id,
  preset: z.enum(REPORT_PRESET_NAMES),
  format: z.enum(REPORT_FORMATS),
  encoding: z.enum(REPORT_ENCODINGS),
  delimiter: z.enum(REPORT_DELIMITERS),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
  where: z.record(z.string(), z.unknown()),
  frequency: z.enum(REPEAT_FREQUENCIES),
  weekday: z.int().nullable(),
  day: z.int().nullable(),
  hour: z.int(),
  isActive: z.boolean(),
  /** Why it was stopped; null if it was not, or a user has paused it. */
  reason: z.enum(['forbidden']).nullable(),
  /** Null while it is paused or stopped. */
  nextRunAt: Time.nullable(),
  lastRunAt: Time.nullable(),
  UserId: Id,
  OwnerId: Id,
  Owner: Owner.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type ReportSchedule = z.infer<typeof ReportSchedule>;

export const reportSchedules = {
  find: endpoint('GET', '/reportSchedules', {
    query: listQuery({
      order: ['createdAt', 'nextRunAt'],
      filter: { OwnerId: Id, UserId: Id },
      range: ['createdAt'],
    }),
    response: page(ReportSchedule),
    can: 'reports.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/reportSchedules/:id', {
    params: ById,
    response: ReportSchedule,
    can: 'reports.get',
  }),
  create: endpoint('POST', '/reportSchedules', {
    lasting: 'announced',
    quota: 'reportSchedules',
    body: ReportScheduleInput,
    response: ReportSchedule,
    status: 201,
    can: 'reports.create',
    idempotent: true,
    summary: 'Have a report made every day, week or month',
  }),
  update: endpoint('PUT', '/reportSchedules/:id', {
    lasting: 'announced',
    params: ById,
    body: ReportScheduleUpdate,
    response: ReportSchedule,
    can: 'reports.create',
    summary: 'Change, pause or resume a schedule of reports',
  }),
  remove: endpoint('DELETE', '/reportSchedules/:id', {
    params: ById,
    response: Removed,
    can: 'reports.remove',
  }),
};
