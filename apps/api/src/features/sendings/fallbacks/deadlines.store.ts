import { Injectable } from '@nestjs/common';
import { BATCH_STAGES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import type { BatchRange } from '../reports/reports.store.ts';

const { pending, leased } = BATCH_STAGES;
/** Timers of a paused task wait for it. */
const DUE_TIMERS = `select o.id from batches o left join tasks t on t.id = o.task_id
  where o.timer_at <= $1 and (t.id is null or t.state not in ('paused', 'scheduled')) order by o.timer_at`;
/** A batch whose driver can be polled is polled first. */
const EXPIRED = `select id from batches where expires_at <= $1 and closed_at is null and (poll_at is null or poll_at > $1)
  and (lease_until is null or lease_until <= $1) order by expires_at`;
const RANGE = `b.id, b.first_id as "firstId", b.last_id as "lastId"`;

/** Batches by their deadlines: fallback timers and expiry; and the batches of stopped tasks. */
@Injectable()
export class DeadlinesStore {
  constructor(private readonly db: Db) {}

  /** Clears timers that are due and returns their batches. */
  takeTimers(now: Date, limit: number): Promise<BatchRange[]> {
    return this.db.query(
      `update batches b set timer_at = null from (
         ${DUE_TIMERS} limit $2 for update of o skip locked) d
        where b.id = d.id returning ${RANGE}`,
      [now, limit],
    );
  }

  /** Postpones the timer that is due first; returns its batch. */
  postponeTimer(now: Date, ms: number): Promise<string | undefined> {
    return this.postpone('timer_at', DUE_TIMERS, now, ms);
  }

  /** The same for a task, the oldest first, up to about `messages` messages. */
  takeTimersOfTask(taskId: string, messages: number): Promise<BatchRange[]> {
    return this.db.query(
      `with waiting as (
         select id, sum(size) over (order by id) - size as before from batches
          where task_id = $1 and timer_at is not null order by id limit $2)
       update batches b set timer_at = null where id in (select id from waiting where before < $2) and timer_at is not null
       returning ${RANGE}`,
      [taskId, messages],
    );
  }

  /** Closes expired batches and returns them. */
  closeExpired(now: Date, limit: number): Promise<BatchRange[]> {
    return this.db.query(
      `update batches b set closed_at = $1 from (
         ${EXPIRED} limit $2 for update skip locked) d
        where b.id = d.id returning ${RANGE}`,
      [now, limit],
    );
  }

  /** Postpones the expiry that is due first; returns its batch. */
  postponeExpiry(now: Date, ms: number): Promise<string | undefined> {
    return this.postpone('expires_at', EXPIRED, now, ms);
  }

  /** Deletes reports that have matched no sending within a day; returns how many. */
  deleteUnmatched(limit: number): Promise<number> {
    return this.db.execute(
      `delete from unmatched_reports where id in (
         select id from unmatched_reports where created_at < now() - interval '24 hours' order by created_at limit ${limit})`,
    );
  }

  /** Stopped tasks that have unsubmitted batches or fallback triggers. */
  stoppedTasks(limit: number): Promise<{ id: string }[]> {
    return this.db.query(
      `select id from tasks t where state = 'stopped' and exists (select 1 from batches b where b.task_id = t.id and b.stage in (${pending}, ${leased}))
        union select f.task_id from fallback_triggers f join tasks t on t.id = f.task_id where t.state = 'stopped' limit ${limit}`,
    );
  }

  /** Deletes so many triggers of a task and returns the ids of their sendings. */
  async deleteTriggers(taskId: string, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `delete from fallback_triggers where sending_id in (
         select sending_id from fallback_triggers where task_id = $1 limit $2 for update)
       returning sending_id as id`,
      [taskId, limit],
    );
    return rows.map(({ id }) => id);
  }

  private async postpone(
    column: 'timer_at' | 'expires_at',
    due: string,
    now: Date,
    ms: number,
  ): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>(
      `update batches set ${column} = $2 where id = (${due} limit 1) returning id`,
      [now, new Date(now.getTime() + ms)],
    );
    return row?.id;
  }
}
