import { Injectable } from '@nestjs/common';
import { isExcepted, statusCode, STOPPED, type SendingErrorCode } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { DispatchStore } from '../dispatch/dispatch.store.ts';
import { planOf } from '../plan.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { ReportsStore, type BatchPlan, type BatchRange } from '../reports/reports.store.ts';

/** Reasons that are ours: a task that fails altogether for one of them has failed itself. */
const SYSTEM_REASONS = ['channel_down', 'insufficient_funds', 'no_price'];
const COMPLETING = ['delivered', 'seen'] as const;
/** Batches that one transaction takes. */
const SOME = 5;
/** Batches that are looked through at a time. */
const CLOSED_AT_MOST = 500;
/** Messages of a stopped task, or reports, that one transaction drops. */
const MANY = 5000;

/** What happens because time has passed: timers of fallbacks, expiry, the end of tasks; and what a stop leaves behind. */
@Injectable()
export class DeadlinesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly tasks: TasksService,
    private readonly batches: DispatchStore,
    private readonly reports: ReportsService,
    private readonly store: ReportsStore,
    private readonly shutdown: Shutdown,
  ) {}

  /** Times are rows, swept in batches. A paused task's timers wait for it. */
  @Sweeps(500)
  timers(): Promise<boolean> {
    return this.db.transaction(() => this.someTimers());
  }

  /** What no report came for in time. */
  @Sweeps(1000)
  expire(): Promise<boolean> {
    return this.db.transaction(() => this.someExpired());
  }

  @Sweeps(1000)
  completeTasks(): Promise<boolean> {
    return this.tasks.complete((id) => this.blame(id));
  }

  @Sweeps(1000)
  async dropStopped(): Promise<void> {
    const stopped = await this.db.query<{ id: string }>(
      `select id from tasks t where state = 'stopped' and exists (select 1 from batches b where b.task_id = t.id and b.stage in (0, 1))
        union select f.task_id from fallback_triggers f join tasks t on t.id = f.task_id where t.state = 'stopped' limit 50`,
    );
    for (const { id } of stopped) this.jobs.enqueueOnce('task.drop', { taskId: id });
  }

  /** Batches none of whose sendings is open any more are closed, so that looks at what is open stay small. */
  @Sweeps(5000)
  async close(): Promise<boolean> {
    const closed = await this.db.execute(
      `update batches b set closed_at = $1 where b.id in (
         select o.id from batches o where o.closed_at is null and o.stage in (3, 4) and o.timer_at is null
            and not exists (select 1 from sendings s where s.id between o.first_id and o.last_id and s.batch_id = o.id
                             and (s.status is null or s.status < 3))
          order by o.id limit ${CLOSED_AT_MOST} for update skip locked)`,
      [this.clock.now()],
    );
    return closed === CLOSED_AT_MOST;
  }

  /** Reports that no sending came for within a day. */
  @Sweeps(5000)
  async dropUnmatched(): Promise<boolean> {
    const dropped = await this.db.execute(
      `delete from unmatched_reports where id in (
         select id from unmatched_reports where created_at < now() - interval '24 hours' order by created_at limit ${MANY})`,
    );
    return dropped === MANY;
  }

  /** Cancels and refunds what a stopped task had not handed over. */
  @HandlesJob('task.drop')
  async drop({ taskId }: { taskId: string }): Promise<void> {
    while (await this.db.transaction(() => this.someDropped(taskId)))
      if (this.shutdown.isStopping) return this.jobs.enqueue('task.drop', { taskId });
    await this.db.transaction(async () => {
      const signalled = await this.db.query<{ sending_id: string }>(
        `delete from fallback_triggers where task_id = $1 returning sending_id`,
        [taskId],
      );
      if (signalled.length)
        await this.reports.endFailed(await this.store.attempts(signalled.map((s) => s.sending_id)));
      const waiting = await this.db.query<BatchRange>(
        `update batches set timer_at = null where task_id = $1 and timer_at is not null returning id, first_id as "firstId", last_id as "lastId"`,
        [taskId],
      );
      await this.endWaiting(waiting);
    });
  }

  private async someTimers(): Promise<boolean> {
    const due = await this.db.query<BatchRange>(
      `update batches b set timer_at = null from (
         select o.id from batches o left join tasks t on t.id = o.task_id
          where o.timer_at <= $1 and (t.id is null or t.state not in ('paused', 'scheduled')) order by o.timer_at limit ${SOME} for update of o skip locked) d
        where b.id = d.id returning b.id, b.first_id as "firstId", b.last_id as "lastId"`,
      [this.clock.now()],
    );
    await this.endWaiting(due);
    return due.length === SOME;
  }

  /** Timers of batches are over: fallbacks start where the rules say so, what failed and waited only for this has ended. */
  private async endWaiting(batches: BatchRange[]): Promise<void> {
    const plans = await this.store.plans(batches.map(({ id }) => id));
    const ids: string[] = [];
    for (const batch of batches)
      ids.push(...(await this.store.sendingsOf([batch], waitsIn(batch, plans.get(batch.id)!))));
    const { rows, done } = await this.reports.signalAll(ids, { kind: 'timer' });
    await this.reports.endFailed(rows.filter((a) => done.has(a.id)));
  }

  /** Whom a driver can be asked about it is asked first: a report that waits must not come too late because of us. */
  private async someExpired(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.db.query<BatchRange>(
      `update batches b set closed_at = $1 from (
         select id from batches where expires_at <= $1 and closed_at is null and (poll_at is null or poll_at > $1)
            and (lease_until is null or lease_until <= $1) order by expires_at limit ${SOME} for update skip locked) d
        where b.id = d.id returning b.id, b.first_id as "firstId", b.last_id as "lastId"`,
      [now],
    );
    await this.fail(
      await this.store.sendingsOf(due, '(s.status is null or s.status < 3)'),
      'expired',
    );
    return due.length === SOME;
  }

  private async someDropped(taskId: string): Promise<boolean> {
    const now = this.clock.now();
    const dropped = await this.batches.drop(taskId, MANY, now);
    await this.fail(await this.store.sendingsOf(dropped, 's.status is null'), STOPPED);
    return dropped.length > 0;
  }

  /** All at once, whatever batches they are of: sendings, counters and balances are each locked in their order. */
  private async fail(ids: string[], code: SendingErrorCode): Promise<void> {
    const at = this.clock.now();
    await this.reports.apply(ids.map((id) => ({ id, status: 'failed', code, at })));
  }

  /** The one system reason for which every chain of a task failed, if there is one. */
  private async blame(taskId: string): Promise<string | null> {
    const reasons = await this.db.query<{ error: string }>(
      `select distinct coalesce(error, '') as error from sendings where group_id = $1 limit 2`,
      [taskId],
    );
    const [only] = reasons;
    return reasons.length === 1 && SYSTEM_REASONS.includes(only!.error) ? only!.error : null;
  }
}

/** What a timer may mean something to: most of a batch has been delivered by then, and is excepted. */
function waitsIn({ firstId }: BatchRange, { taskId, attempt, plan }: BatchPlan): string {
  const item = planOf(taskId ?? firstId, plan).triggers[attempt];
  const spared = COMPLETING.filter((status) => item && isExcepted(item, status)).map(statusCode);
  return `not s.is_last ${spared.length ? `and (s.status is null or s.status not in (${spared.join(', ')}))` : ''}`;
}
