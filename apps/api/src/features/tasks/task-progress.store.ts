import { Injectable } from '@nestjs/common';
import { formatMoney } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import {
  BULK,
  type ChunkCounts,
  type CounterChange,
  type ExpansionPosition,
  type FinishedTask,
} from './tasks.types.ts';

/** Positions and counters of tasks. */
@Injectable()
export class TaskProgressStore {
  constructor(private readonly db: Db) {}

  /** Stores the position after a chunk and adds its counts. The caller has locked the task. */
  async advance(
    id: string,
    { segment, id: cursorId, n, position, isExpanded }: ExpansionPosition,
    { total, amount, skipped }: ChunkCounts,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `with moved as (
         update tasks set segment = $2, cursor_id = $3, cursor_n = $4, position = $5, is_expanded = $6, updated_at = $7 where id = $1
       )
       update task_counters set total = total + $8, amount = amount + $9,
              skipped = case when $10::jsonb = '{}' then skipped else skipped || (
                select jsonb_object_agg(key, value::int + coalesce((skipped->>key)::int, 0)) from jsonb_each_text($10)) end
        where task_id = $1`,
      [
        id,
        segment,
        cursorId,
        n,
        position,
        isExpanded,
        now,
        total,
        formatMoney(amount),
        JSON.stringify(skipped),
      ],
    );
  }

  /** Counters are locked before balances. A transaction that locks balances first must lock its counters with this. */
  async lockCounters(ids: string[]): Promise<void> {
    await this.db.query(
      `select 1 from task_counters where task_id = any($1) order by task_id for update`,
      [ids],
    );
  }

  /** Adds changes to counters, in the order of ids. */
  async outcomes(changes: CounterChange[]): Promise<void> {
    const sorted = [...changes].sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.db.query(
      `update task_counters c set completed = c.completed + d.completed, errored = c.errored + d.errored, cancelled = c.cancelled + d.cancelled,
              unknown_outcomes = c.unknown_outcomes + d.unknown_outcomes, amount = c.amount + d.amount
         from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::numeric[])
           as d(id, completed, errored, cancelled, unknown_outcomes, amount)
        where c.task_id = d.id`,
      [
        sorted.map((c) => c.id),
        sorted.map((c) => c.completed ?? 0),
        sorted.map((c) => c.errored ?? 0),
        sorted.map((c) => c.cancelled ?? 0),
        sorted.map((c) => c.unknownOutcomes ?? 0),
        sorted.map((c) => formatMoney(c.amount ?? 0n)),
      ],
    );
  }

  /** Running tasks that are expanded and have no open chains. */
  finished(limit: number): Promise<FinishedTask[]> {
    return this.db.query(
      `select t.id, t.owner_id as "OwnerId", c.completed, c.total, c.skipped, t.title from tasks t join task_counters c on c.task_id = t.id
        where t.state = 'running' and t.type = '${BULK}' and t.is_expanded and c.completed + c.errored + c.cancelled >= c.total limit $1`,
      [limit],
    );
  }

  /** Distinct errors of a task's sendings, at most `limit`; an empty string for a sending without one. */
  async errorsOfTask(id: string, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ error: string }>(
      `select distinct coalesce(error, '') as error from sendings where group_id = $1 limit ${limit}`,
      [id],
    );
    return rows.map(({ error }) => error);
  }
}
