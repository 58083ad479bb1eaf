import type { Level, Task, TaskState } from '@heliograph/contract';
import type { WithOwner } from '../../core/auth/owners.ts';
import { secondsAfter } from '../../core/clock.ts';

/** A task with its counters. */
export interface TaskRow {
  id: string;
  OwnerId: string;
  type: Task['type'];
  title: string;
  state: TaskState;
  reason: string | null;
  originId: string | null;
  data: Task['data'];
  expected: number;
  /** The audience is read to its end: no sendings are added. */
  isExpanded: boolean;
  total: number;
  completed: number;
  errored: number;
  cancelled: number;
  unknownOutcomes: number;
  skipped: Record<string, number>;
  amount: string;
  startsAt: Date | null;
  stretchSeconds: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (data: string) => `
  t.id, t.owner_id as "OwnerId", t.type, t.title, t.state, t.reason, t.origin_id as "originId", ${data} as data, t.expected, t.is_expanded as "isExpanded",
  coalesce(c.total, 0) as total, coalesce(c.completed, 0) as completed, coalesce(c.errored, 0) as errored,
  coalesce(c.cancelled, 0) as cancelled,
  coalesce(c.unknown_outcomes, 0) as "unknownOutcomes", coalesce(c.skipped, '{}') as skipped, coalesce(c.amount, 0)::text as amount,
  t.starts_at as "startsAt", t.stretch_seconds as "stretchSeconds", t.started_at as "startedAt", t.finished_at as "finishedAt",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;
/** With typed recipients, for one task. */
export const TASK_COLUMNS = columns('t.data');
/** Without typed recipients and the texts to choose from, for lists and events. */
export const TASK_ROW_COLUMNS = columns(
  `t.data #- '{recipients,include,recipients}' #- '{recipients,exclude,recipients}' #- '{sending,variants,texts}'`,
);
export const TASK_FROM = `tasks t left join task_counters c on c.task_id = t.id`;

export function presentTask(row: WithOwner<TaskRow>, level: Level): Task {
  const { total, completed, errored, unknownOutcomes, skipped } = row;
  // Recipients skipped by the expansion are no longer expected; invalid entries never were.
  const { invalid: _, ...skippedByExpansion } = skipped;
  const skippedCount = Object.values(skippedByExpansion).reduce((sum, n) => sum + n, 0);
  const expected = row.isExpanded ? total : Math.max(total, row.expected - skippedCount);
  // Recipients that a stopped task had not reached in its audience are cancelled as well.
  // The rows of other tasks are not counted in advance.
  const notExpanded = row.state === 'stopped' ? expected - Math.max(total, completed + errored) : 0;
  const cancelled = row.cancelled + notExpanded;
  const beginsAt = row.startedAt ?? row.startsAt;
  const until = beginsAt && row.stretchSeconds ? secondsAfter(beginsAt, row.stretchSeconds) : null;
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    state: row.state,
    reason: row.reason,
    data: row.data,
    meta: {
      counters: { expected, total, completed, errored, cancelled, unknownOutcomes, skipped },
      amount: Number(row.amount),
    },
    ...(row.originId && { OriginId: row.originId }),
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    startsAt: row.startsAt?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
