import * as z from 'zod';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, Time, many } from './fields.ts';
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

export const Task = z.object({
  id: Id,
  title: z.string(),
  type: z.enum(TASK_TYPES),
  state: TaskState,
  /** Why it paused or failed, as an error code; null otherwise. */
  reason: z.string().nullable(),
  data: z.object({
    sending: z.looseObject({ type: z.string(), groupId: Id, payload: z.looseObject({}) }),
    recipients: z.object({
      include: z.object({ lists: z.array(Id), recipients: z.array(z.string()) }),
      exclude: z.object({ lists: z.array(Id), recipients: z.array(z.string()) }),
    }),
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
  Owner: z.object({ id: Id, username: z.string() }).optional(),
  startsAt: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Task = z.infer<typeof Task>;

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
  /** paused, stopped, or scheduled (which resumes a paused one). */
  update: endpoint('PUT', '/tasks/:id', {
    params: ById,
    body: z.object({
      state: z.enum(['paused', 'stopped', 'scheduled']).optional(),
      title: z.string().trim().min(1).max(100).optional(),
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
