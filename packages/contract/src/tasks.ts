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
    /** Recipients counted by their last outcome. `total` grows towards `expected` while the audience is read. */
    counters: z.object({
      expected: z.int(),
      total: z.int(),
      completed: z.int(),
      errored: z.int(),
      inDoubt: z.int(),
      skipped: z.record(z.string(), z.int()),
    }),
    amount: z.number(),
  }),
  OwnerId: Id,
  Owner: Owner.optional(),
  startsAt: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Task = z.infer<typeof Task>;

/** What became of the attempts of a task that did not arrive. */
export const TaskErrors = z.object({
  /** Most frequent first. Attempts are counted: a recipient has as many as it had fallbacks. */
  data: z.array(z.object({ code: z.string(), count: z.int(), amount: z.number() })),
  /** Paid back for all of them. */
  refunded: z.number(),
});
export type TaskErrors = z.infer<typeof TaskErrors>;

/** What stopping a task would drop: attempts that were not handed over, and what is paid back for them. */
export const TaskUnsent = z.object({ count: z.int(), amount: z.number() });
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
    summary: 'Failed attempts of a task by code',
  }),
  unsent: endpoint('GET', '/tasks/:id/unsent', {
    params: ById,
    response: TaskUnsent,
    cost: 'list',
    can: 'tasks.get',
    summary: 'What stopping a task would drop',
  }),
  /** paused, stopped, or scheduled (which resumes a paused one). */
  update: endpoint('PUT', '/tasks/:id', {
    params: ById,
    body: z.strictObject({
      state: z.enum(['paused', 'stopped', 'scheduled']).optional(),
      title: trimmed(100).min(1).optional(),
    }),
    response: Task,
    can: 'tasks.update',
    also: 'PATCH',
  }),
  remove: endpoint('DELETE', '/tasks/:id', {
    params: ById,
    response: Removed,
    can: 'tasks.remove',
  }),
};
