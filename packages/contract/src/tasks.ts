import * as z from 'zod';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, many, Owner, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';

export const TASK_TYPES = ['sendings:bulk', 'payments:recurrent', 'billings:operations'] as const;
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

const Recipients = z.object({
  lists: z.array(Id),
  /** What was typed, the first thousand of it; only where one task is asked for, not in lists and events. */
  recipients: z.array(z.string()).optional(),
  /** How many were typed in all. */
  count: z.int().optional(),
});

export const Task = z.object({
  id: Id,
  title: z.string(),
  type: z.enum(TASK_TYPES),
  state: TaskState,
  /** Why it paused or failed, as an error code; null otherwise. */
  reason: z.string().nullable(),
  data: z.object({
    sending: z.looseObject({ type: z.string(), groupId: Id, payload: z.looseObject({}) }),
    recipients: z.object({ include: Recipients, exclude: Recipients }),
  }),
  meta: z.object({
    /** Recipients counted by outcome; the others are pending. `total` grows towards `expected` while the audience is read. */
    counters: z.object({
      expected: z.int(),
      total: z.int(),
      completed: z.int(),
      errored: z.int(),
      /** Whom a stop dropped, refunded, or had not been charged for yet. */
      cancelled: z.int(),
      unknownOutcomes: z.int(),
      skipped: z.record(z.string(), z.int()),
    }),
    amount: z.number(),
  }),
  OwnerId: Id,
  Owner: Owner.optional(),
  startsAt: Time.nullable(),
  /** When the last of it is due, of a task that is spread over time. */
  until: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Task = z.infer<typeof Task>;

/** Why recipients of a task were not reached. */
export const TaskErrors = z.object({
  /** Recipients whose outcome is `failed`, by the code of their last attempt, most frequent first, and what was charged for it. */
  data: z.array(z.object({ code: z.string(), count: z.int(), amount: z.number() })),
  /** Attempts that failed without their recipient's having failed: another was delivered, is under way or was stopped. */
  others: z.int(),
  /** Paid back for all attempts that failed. */
  refunded: z.number(),
});
export type TaskErrors = z.infer<typeof TaskErrors>;

/** What stopping a task would drop: attempts that were not handed over, and what is paid back for them. */
export const TaskUnsent = z.object({
  count: z.int(),
  amount: z.number(),
  /** Attempts with the carrier, which cannot be called back. */
  submitted: z.int(),
});
export type TaskUnsent = z.infer<typeof TaskUnsent>;

export const tasks = {
  find: endpoint('GET', '/tasks', {
    query: listQuery({
      order: ['createdAt', 'startsAt', 'title'],
      filter: { type: many(z.enum(TASK_TYPES)), state: many(TaskState), OwnerId: Id, id: many(Id) },
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
    summary: 'Recipients of a task that were not reached, by reason',
  }),
  unsent: endpoint('GET', '/tasks/:id/unsent', {
    params: ById,
    response: TaskUnsent,
    cost: 'list',
    can: 'tasks.get',
    summary: 'What stopping a task would drop',
  }),
  /** paused, stopped, or scheduled (which resumes a paused one). The state that it has already is refused. */
  update: endpoint('PUT', '/tasks/:id', {
    params: ById,
    body: z.strictObject({
      state: z.enum(['paused', 'stopped', 'scheduled']).optional(),
      title: trimmed(100).min(1).optional(),
    }),
    response: Task,
    can: 'tasks.update',
    alias: 'PATCH',
  }),
  cancel: endpoint('POST', '/tasks/:id/cancel', {
    params: ById,
    response: Task,
    can: 'tasks.update',
    summary: 'Stop a task that is scheduled, running or paused',
  }),
  remove: endpoint('DELETE', '/tasks/:id', {
    params: ById,
    response: Removed,
    can: 'tasks.remove',
  }),
};
