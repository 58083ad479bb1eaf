import {
  REPEAT_FREQUENCIES,
  MAX_FALLBACKS,
  MAX_VALID_SECONDS,
  MIN_VALID_SECONDS,
} from '@heliograph/domain';
import * as z from 'zod';
import { MAX_CALLBACK_DATA } from './each.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Day, Id, lines, Owner, text, Time, TimeZone, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';
import { Payload } from './payload.ts';
import { checkContent, checkRecipient, Fallback, SENDING_BODY_LIMIT } from './sendings.ts';
import { SendingType } from './types.ts';

/** Recurring sendings of an account. */
export const MAX_RECURRING_SENDINGS = 50;
/** Lists and segments, included or excluded. */
export const MAX_RECURRING_LISTS = 100;
/** After so many failed runs one after the other it is paused. */
export const MAX_FAILED_RUNS = 3;
/** Runs that are kept of each. */
export const MAX_RECURRING_RUNS = 20;
export const MAX_RECURRING_TIMES = 1000;

const lists = (min: number) => arrayOf(Id.toLowerCase(), { min, max: MAX_RECURRING_LISTS });

const fields = z.strictObject({
  title: trimmed(100).min(1),
  type: SendingType,
  payload: Payload,
  fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }),
  /** Contact lists and segments, whose contacts are taken at each run. */
  recipient: z.strictObject({ include: lists(1), exclude: lists(0).default([]) }),
  schedule: z
    .strictObject({
      /** Spreads the messages of a run over this many hours. */
      until: z.number().min(0).max(12).default(0),
      /** Seconds from the time at which a message is due. What waits longer is not sent. */
      validUntil: z.int().min(MIN_VALID_SECONDS).max(MAX_VALID_SECONDS).optional(),
    })
    .nullable(),
  /** Returned with every message. */
  callbackData: lines(MAX_CALLBACK_DATA).nullable(),
  frequency: z.enum(REPEAT_FREQUENCIES),
  /** From 1, Monday, to 7; required with `weekly`. */
  weekdays: arrayOf(z.int().min(1).max(7), { max: 7 }),
  /** In shorter months the last day; required with `monthly`. */
  day: z.int().min(1).max(31).nullable(),
  /** By the clocks of the time zone. */
  time: text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  timeZone: TimeZone,
  /** The first and the last day on which it may run. */
  from: Day.nullable(),
  until: Day.nullable(),
  /** It ends after so many bulks. */
  times: z.int().min(1).max(MAX_RECURRING_TIMES).nullable(),
  /** False while it is paused. */
  isActive: z.boolean(),
});

export const RecurringSendingInput = fields
  .extend({
    fallbacks: fields.shape.fallbacks.default([]),
    schedule: fields.shape.schedule.default(null),
    callbackData: fields.shape.callbackData.default(null),
    weekdays: fields.shape.weekdays.default([]),
    day: fields.shape.day.default(null),
    from: fields.shape.from.default(null),
    until: fields.shape.until.default(null),
    times: fields.shape.times.default(null),
    isActive: fields.shape.isActive.default(true),
  })
  .superRefine((input, ctx) => {
    checkContent(input, ctx);
    checkRecipient(input.recipient, ctx);
    const { frequency, weekdays, day, from, until } = input;
    const refuse = (path: string, rule: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message, params: { rule } });
    if (frequency === 'weekly' && !weekdays.length)
      refuse('weekdays', 'required', 'The field is required.');
    if (frequency === 'monthly' && !day) refuse('day', 'required', 'The field is required.');
    if (from && until && until < from)
      refuse('until', 'order', 'The last day must not be before the first.');
  });
export type RecurringSendingInput = z.output<typeof RecurringSendingInput>;
/** Without the defaults, which would overwrite what is stored. */
export const RecurringSendingUpdate = fields.extend({ payload: Payload.partial() }).partial();
export type RecurringSendingUpdate = z.output<typeof RecurringSendingUpdate>;

/** A due time that was run. */
export const RecurringRun = z.object({
  dueAt: Time,
  /** Null if it failed. The task may have been removed since. */
  TaskId: Id.nullable(),
  /** Error code of a failure. */
  code: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: Time,
});
export type RecurringRun = z.infer<typeof RecurringRun>;

export const RecurringSending = z.object({
  id: Id,
  title: z.string(),
  type: SendingType,
  payload: Payload.partial(),
  fallbacks: z.array(z.looseObject({ type: SendingType })),
  recipient: z.object({ include: z.array(Id), exclude: z.array(Id) }),
  schedule: z.object({ until: z.number(), validUntil: z.int().optional() }).nullable(),
  callbackData: z.string().nullable(),
  frequency: z.enum(REPEAT_FREQUENCIES),
  weekdays: z.array(z.int()),
  day: z.int().nullable(),
  time: z.string(),
  timeZone: z.string(),
  from: z.string().nullable(),
  until: z.string().nullable(),
  times: z.int().nullable(),
  isActive: z.boolean(),
  /** Why it does not run: it has ended, failed several times, or who set it up may no longer send. Null if it runs, or was paused by a user. */
  reason: z.enum(['ended', 'failed', 'forbidden']).nullable(),
  /** Null while it does not run. */
  nextRunAt: Time.nullable(),
  /** Bulks so far. */
  runs: z.int(),
  /** Failed runs since the last bulk. */
  failures: z.int(),
  lastRun: RecurringRun.nullable(),
  UserId: Id,
  OwnerId: Id,
  Owner: Owner.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type RecurringSending = z.infer<typeof RecurringSending>;

export const recurringSendings = {
  find: endpoint('GET', '/recurringSendings', {
    query: listQuery({
      order: ['createdAt', 'nextRunAt', 'title'],
      filter: { OwnerId: Id },
      range: ['createdAt'],
    }),
    response: page(RecurringSending),
    can: 'tasks.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/recurringSendings/:id', {
    params: ById,
    response: RecurringSending,
    can: 'tasks.get',
  }),
  next: endpoint('GET', '/recurringSendings/:id/next', {
    params: ById,
    response: z.object({ times: z.array(Time) }),
    can: 'tasks.get',
    summary: 'List the next times at which a recurring sending runs',
  }),
  runs: endpoint('GET', '/recurringSendings/:id/runs', {
    params: ById,
    response: z.object({ data: z.array(RecurringRun) }),
    can: 'tasks.get',
    summary: 'List the last runs of a recurring sending',
  }),
  create: endpoint('POST', '/recurringSendings', {
    lasting: 'announced',
    quota: 'recurringSendings',
    body: RecurringSendingInput,
    bodyLimit: SENDING_BODY_LIMIT,
    response: RecurringSending,
    status: 201,
    can: 'sendings.generate',
    idempotent: true,
    summary: 'Have a bulk sent every day, week or month',
  }),
  update: endpoint('PUT', '/recurringSendings/:id', {
    lasting: 'announced',
    params: ById,
    body: RecurringSendingUpdate,
    bodyLimit: SENDING_BODY_LIMIT,
    response: RecurringSending,
    can: 'tasks.update',
    alias: 'PATCH',
    summary: 'Change, pause or resume a recurring sending',
  }),
  remove: endpoint('DELETE', '/recurringSendings/:id', {
    params: ById,
    response: Removed,
    can: 'tasks.remove',
  }),
};
