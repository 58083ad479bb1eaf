import { Injectable } from '@nestjs/common';
import {
  endsTimer,
  STATUS_CODES,
  statusCode,
  STOPPED,
  type SendingErrorCode,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { DueRows } from '../../../core/jobs/due-rows.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { DispatchStore } from '../dispatch/dispatch.store.ts';
import { SubmitResultsService } from '../dispatch/submit-results.service.ts';
import { planOf } from '../plan.ts';
import { ClosingStore } from '../reports/closing.store.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { ReportsStore, type BatchPlan, type BatchRange } from '../reports/reports.store.ts';
import { DeadlinesStore } from './deadlines.store.ts';

const FINAL = ['delivered', 'seen', 'failed'] as const;
/** Batches of one transaction that fails or triggers their sendings. */
const BATCH_LIMIT = 5;
const CLOSE_BATCH_SIZE = 500;
/** Batches of one transaction that are kept one by one: a shutdown waits for it. */
const UNKNOWN_BATCH_SIZE = 50;
/** Messages, or unmatched reports, of one transaction. */
const DROP_BATCH_SIZE = 5000;
/** Attempts that are read in one transaction. */
const TRIGGER_BATCH_SIZE = 1000;
const STOPPED_TASKS_LIMIT = 50;

/** Transitions by time: fallback timers, expiry, closing of batches; and the cleanup of stopped tasks. */
@Injectable()
export class DeadlinesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly rows: DueRows,
    private readonly store: DeadlinesStore,
    private readonly batches: DispatchStore,
    private readonly reports: ReportsService,
    private readonly sendings: ReportsStore,
    private readonly shutdown: Shutdown,
    private readonly channels: ChannelsService,
    private readonly results: SubmitResultsService,
    private readonly closing: ClosingStore,
  ) {}

  @Sweeps(500)
  fireTimers(): Promise<boolean> {
    return this.rows.process({
      what: 'firing timers',
      limit: BATCH_LIMIT,
      take: (limit) =>
        this.db.transaction(async () => {
          const due = await this.store.takeTimers(this.clock.now(), limit);
          await this.triggerByTimer(due);
          return due.length === limit;
        }),
      postpone: (ms) => this.store.postponeTimer(this.clock.now(), ms),
    });
  }

  /** Fails sendings without a final report in time. */
  @Sweeps(1000)
  expire(): Promise<boolean> {
    const isOpen = `(s.status is null or s.status < ${STATUS_CODES.delivered})`;
    return this.rows.process({
      what: 'expiring messages',
      limit: BATCH_LIMIT,
      take: (limit) =>
        this.db.transaction(async () => {
          const due = await this.store.closeExpired(this.clock.now(), limit);
          await this.fail(await this.sendings.sendingsOf(due, isOpen), 'expired');
          return due.length === limit;
        }),
      postpone: (ms) => this.store.postponeExpiry(this.clock.now(), ms),
    });
  }

  @Sweeps(1000)
  async enqueueStopped(): Promise<void> {
    for (const { id } of await this.store.stoppedTasks(STOPPED_TASKS_LIMIT))
      this.jobs.enqueueOnce('task.drop', { taskId: id });
  }

  @Sweeps(5000)
  async close(): Promise<boolean> {
    const noted = await this.closing.close(this.clock.now(), CLOSE_BATCH_SIZE);
    return noted === CLOSE_BATCH_SIZE;
  }

  @Sweeps(5000)
  async dropUnmatched(): Promise<boolean> {
    return (await this.store.deleteUnmatched(DROP_BATCH_SIZE)) === DROP_BATCH_SIZE;
  }

  /** Cancels and refunds the unsubmitted messages of a stopped task, and ends chains that wait for a fallback. */
  @HandlesJob('task.drop')
  async drop({ taskId }: { taskId: string }): Promise<void> {
    const steps = [
      () => this.keepUnknown(taskId),
      () => this.dropBatches(taskId),
      () => this.endTriggered(taskId),
      () => this.endTimers(taskId),
    ];
    for (const step of steps)
      while (await this.db.transaction(step))
        if (this.shutdown.isStopping) return this.jobs.enqueue('task.drop', { taskId });
  }

  /** Starts the fallbacks that the rules allow, and ends the chains that failed and waited only for this timer. */
  private async triggerByTimer(batches: BatchRange[]): Promise<void> {
    const plans = await this.sendings.plans(batches.map(({ id }) => id));
    this.closing.note(batches.map(({ id }) => id));
    const ids: string[] = [];
    for (const batch of batches)
      ids.push(
        ...(await this.sendings.sendingsOf([batch], awaitsTimer(batch, plans.get(batch.id)!))),
      );
    const { rows, finished } = await this.reports.trigger(ids, { kind: 'timer' });
    await this.reports.endFailed(rows.filter((a) => finished.has(a.id)));
  }

  /** Messages that the carrier may have are neither sent again nor cancelled. */
  private async keepUnknown(taskId: string): Promise<boolean> {
    const now = this.clock.now();
    const batches = await this.batches.takeUnknown(taskId, UNKNOWN_BATCH_SIZE, now);
    for (const batch of batches) {
      const facts = await this.channels.factsOf(batch.channel);
      await this.results.keepUnknown(batch, facts, now);
    }
    return batches.length === UNKNOWN_BATCH_SIZE;
  }

  private async dropBatches(taskId: string): Promise<boolean> {
    const dropped = await this.batches.dropOfTask(taskId, DROP_BATCH_SIZE, this.clock.now());
    await this.fail(await this.sendings.sendingsOf(dropped, 's.status is null'), STOPPED);
    return dropped.length > 0;
  }

  /** Ends chains of a stopped task whose fallback was to start. True when there are more. */
  private async endTriggered(taskId: string): Promise<boolean> {
    const triggered = await this.store.deleteTriggers(taskId, TRIGGER_BATCH_SIZE);
    if (triggered.length) await this.reports.endFailed(await this.sendings.attempts(triggered));
    return triggered.length === TRIGGER_BATCH_SIZE;
  }

  /** Ends chains of a stopped task that wait for a timer. True when there are more. */
  private async endTimers(taskId: string): Promise<boolean> {
    const batches = await this.store.takeTimersOfTask(taskId, TRIGGER_BATCH_SIZE);
    await this.triggerByTimer(batches);
    return batches.length > 0;
  }

  /** In one call for all batches, so that sendings, counters and balances are each locked in the order of their ids. */
  private async fail(ids: string[], code: SendingErrorCode): Promise<void> {
    const at = this.clock.now();
    await this.reports.apply(ids.map((id) => ({ id, status: 'failed', code, at })));
  }
}

/** SQL for the sendings of a batch that a timer may affect: most of a batch have ended, and their timer starts nothing any more. */
function awaitsTimer({ firstId }: BatchRange, { taskId, attempt, plan }: BatchPlan): string {
  const item = planOf(taskId ?? firstId, plan).triggers[attempt];
  const ended = FINAL.filter((status) => item && endsTimer(item, status)).map(statusCode);
  return `not s.is_last ${ended.length ? `and (s.status is null or s.status not in (${ended.join(', ')}))` : ''}`;
}
