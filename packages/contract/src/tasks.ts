import * as z from 'zod';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, many, Owner, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';
import { RESEND_AUDIENCES } from './resends.ts';
import { Segment } from './segments.ts';
import { SendingType } from './types.ts';
import { TaskVariants, VariantFiguresOf } from './variants.ts';

export const TASK_TYPES = ['sendings:bulk', 'payments:recurrent', 'billings:operations'] as const;
export const TaskType = z.enum(TASK_TYPES);
export type TaskType = z.infer<typeof TaskType>;
export const TASK_STATES = [
  'scheduled',
  'running',
  'paused',
  'stopped',
  'completed',
  'failed',
] as const;
export const TaskState = z.enum(TASK_STATES);
export type TaskState = z.infer<typeof TaskState>;

/** A segment as it was when the bulk was created. */
const TaskSegment = Segment.pick({ id: true, title: true, where: true, activity: true });
export type TaskSegment = z.infer<typeof TaskSegment>;

const Recipients = z.object({
  lists: z.array(Id),
  segments: z.array(TaskSegment).optional(),
  /** Individual recipients, the first 1,000. Only when a single task is retrieved, not in lists and events. */
  recipients: z.array(z.string()).optional(),
  /** Total number of individual recipients. */
  count: z.int().optional(),
});

export const Task = z.object({
  id: Id,
  title: z.string(),
  type: TaskType,
  state: TaskState,
  /** Error code that explains why the task is paused or failed; null otherwise. */
  reason: z.string().nullable(),
  data: z.object({
    /** Of `sendings:bulk`, as are the recipients. */
    sending: z
      .looseObject({
        type: z.string(),
        groupId: Id,
        payload: z.looseObject({}),
        /** Of a test token: it reaches nobody and costs nothing. */
        live: z.literal(false).optional(),
        /** Of the parts of a bulk with two texts. */
        variants: TaskVariants.optional(),
      })
      .optional(),
    recipients: z.object({ include: Recipients, exclude: Recipients }).optional(),
    /** Of `payments:recurrent`. */
    recurrent: z.object({ RecurrentPaymentId: Id, PaymentId: Id.nullable() }).optional(),
    /** Of `billings:operations`. */
    operations: z
      .object({
        filename: z.string(),
        rows: z.int(),
        /** The file with the outcome of each row; null until the operation ends. */
        ReportId: Id.nullable(),
      })
      .optional(),
  }),
  meta: z.object({
    /** Recipients, payments or rows by outcome; the others are pending. `total` grows to `expected` while the recipients are loaded. */
    counters: z.object({
      expected: z.int(),
      total: z.int(),
      completed: z.int(),
      errored: z.int(),
      /** Recipients cancelled by stopping the task: refunded, or not yet charged. */
      cancelled: z.int(),
      unknownOutcomes: z.int(),
      skipped: z.record(z.string(), z.int()),
    }),
    amount: z.number(),
  }),
  /** The bulk whose recipients it is sent to. */
  OriginId: Id.optional(),
  OwnerId: Id,
  Owner: Owner.optional(),
  startsAt: Time.nullable(),
  /** Time at which the last message is due; null if messages are not spread over time. */
  until: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Task = z.infer<typeof Task>;

export type TaskRecipients = NonNullable<Task['data']['recipients']>;
/** A bulk sending. */
export type Bulk = Task & { data: Required<Pick<Task['data'], 'sending' | 'recipients'>> };
export const isBulk = (task: Task): task is Bulk => task.type === 'sendings:bulk';

/** Failures of a task by reason. */
export const TaskErrors = z.object({
  /** Recipients with the outcome `failed` by the code of their last attempt, most frequent first, and the amount charged for it. */
  data: z.array(z.object({ code: z.string(), count: z.int(), amount: z.number() })),
  /** Failed attempts whose recipient has not failed: another attempt was delivered, is in progress or was stopped. */
  others: z.int(),
  /** Amount refunded for all failed attempts. */
  refunded: z.number(),
});
export type TaskErrors = z.infer<typeof TaskErrors>;

/** Attempts that would be cancelled by stopping a task because they are not submitted, and the amount of their refund. */
export const TaskUnsent = z.object({
  count: z.int(),
  amount: z.number(),
  /** Attempts already submitted to the carrier, which cannot be cancelled. */
  submitted: z.int(),
  /** When the next of them is due; null if none is left. */
  dueAt: Time.nullable(),
});
export type TaskUnsent = z.infer<typeof TaskUnsent>;

const Related = z.object({
  id: Id,
  title: z.string(),
  state: TaskState,
  createdAt: Time,
  /** Which recipients of the one the other is sent to. */
  audience: z.enum(RESEND_AUDIENCES),
});

/** Recipients of a bulk to whom another of the same type can be sent, and those left out of it. */
const Resendable = z.object({ count: z.int(), unsubscribed: z.int(), reached: z.int() });

/** How a bulk went. Figures of attempts count messages, those of operators recipients. */
export const TaskOutcome = z.object({
  /** By attempt, the first first, and type. */
  attempts: z.array(
    z.object({
      attempt: z.int(),
      type: SendingType,
      count: z.int(),
      submitted: z.int(),
      delivered: z.int(),
      seen: z.int(),
      replied: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      pending: z.int(),
    }),
  ),
  /** Those with most recipients. The operator of a number as it was allocated. */
  operators: z.array(
    z.object({
      mccmnc: z.string().nullable(),
      name: z.string().nullable(),
      country: z.string().nullable(),
      count: z.int(),
      delivered: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
  ),
  /** Messages by the time of the event, in steps of `seconds`. The last step contains all later events. */
  timeline: z.object({
    seconds: z.int(),
    steps: z.array(z.object({ at: Time, submitted: z.int(), delivered: z.int(), failed: z.int() })),
  }),
  /** `charged` is the sum of the other amounts. */
  cost: z.object({
    charged: z.number(),
    spent: z.number(),
    /** Of messages whose result is not known. */
    reserved: z.number(),
    refunded: z.number(),
    /** Messages that prepaid packages cover, without those whose units were given back. */
    covered: z.int(),
  }),
  /** Those who failed. */
  retry: Resendable,
  /** Those who did not click; null if the bulk does not tell, or has not ended. */
  unclicked: Resendable.nullable(),
  /** Those who did not open it; null if none is known to have, or it has not ended. */
  unseen: Resendable.nullable(),
  /** Short links in its texts. */
  links: z.array(
    z.object({
      id: Id,
      url: z.string(),
      shortUrl: z.string(),
      clicks: z.int().nullable(),
      /** Of a bulk that tells who clicked. */
      clickedBy: z.int().nullable(),
    }),
  ),
  /** Recipients who clicked any of them; null if the bulk does not tell. */
  clickedBy: z.int().nullable(),
  /** Of a part of a bulk with two texts: the present figures of both. Clicks only with the permission `links.get`. */
  variants: VariantFiguresOf.optional(),
  /** The bulk whose recipients it is sent to. */
  origin: Related.nullable(),
  /** Bulks to its recipients, newest first. */
  resends: z.array(Related),
});
export type TaskOutcome = z.infer<typeof TaskOutcome>;

export const tasks = {
  find: endpoint('GET', '/tasks', {
    query: listQuery({
      order: ['createdAt', 'startsAt', 'title'],
      filter: { type: many(TaskType), state: many(TaskState), OwnerId: Id, id: many(Id) },
      range: ['createdAt', 'startsAt'],
      search: true,
    }),
    response: page(Task),
    can: 'tasks.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/tasks/:id', { params: ById, response: Task, can: 'tasks.get' }),
  errors: endpoint('GET', '/tasks/:id/errors', {
    params: ById,
    response: TaskErrors,
    cost: 'list',
    can: 'tasks.get',
    summary: 'List failures of a task by reason',
  }),
  outcome: endpoint('GET', '/tasks/:id/outcome', {
    params: ById,
    response: TaskOutcome,
    cost: 'list',
    can: 'tasks.get',
    summary: 'Summarize how a bulk went',
  }),
  unsent: endpoint('GET', '/tasks/:id/unsent', {
    params: ById,
    response: TaskUnsent,
    cost: 'list',
    can: 'tasks.get',
    summary: 'Preview the messages that stopping a task would cancel',
  }),
  /** `paused`, `stopped`, and `scheduled`, which resumes a paused task. The state that the task has changes nothing. */
  update: endpoint('PUT', '/tasks/:id', {
    // Notifications and events tell of each pause.
    cost: 'setting',
    params: ById,
    body: z.strictObject({
      state: TaskState.optional(),
      title: trimmed(100).min(1).optional(),
    }),
    response: Task,
    can: 'tasks.update',
    alias: 'PATCH',
  }),
  cancel: endpoint('POST', '/tasks/:id/cancel', {
    bound: 'nothing',
    params: ById,
    response: Task,
    can: 'tasks.update',
    summary: 'Stop a scheduled, running or paused task',
  }),
  remove: endpoint('DELETE', '/tasks/:id', {
    params: ById,
    response: Removed,
    can: 'tasks.remove',
  }),
};
