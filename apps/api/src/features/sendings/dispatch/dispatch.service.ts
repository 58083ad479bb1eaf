import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  typeOf,
  type BatchStage,
  type RulesRefusal,
  type SendingErrorCode,
  type SendingType,
} from '@heliograph/domain';
import {
  ChannelDown,
  UnknownOutcome,
  type SubmitResult,
  type OpenDriver,
} from '../../../channels/channel.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { CarrierReportsService } from '../reports/carrier-reports.service.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { PRIORITIES } from '../priorities.ts';
import { PollService, type PollResult } from '../reports/poll.service.ts';
import { messagesOf, planOfBatch, retryAt, timeoutAfter } from './outgoing.ts';
import { ReportsService, type Report } from '../reports/reports.service.ts';

const after = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
/** Batches that wait this long for a channel that is down fail. */
const MAX_DOWN_SECONDS = 24 * 3600;
/** Batches with an unknown outcome are resent up to this often, at growing intervals up to this one: for about an hour in all. */
const MAX_RESENDS = 20;
const MAX_RESEND_INTERVAL_SECONDS = 300;
/** The part of a lease that must be left after a driver's timeout, for recording the results. */
const LEASE_MARGIN = 0.25;

/** Ids in every log line about a batch. */
const idsOf = ({ id, taskId, channel }: LeasedBatch) => ({
  batchId: id,
  ...(taskId && { taskId }),
  channel,
});

/** Submits due batches: pending -> leased -> submitting, committed before the driver is called -> submitted or unknown. */
@Injectable()
export class DispatchService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly states: ChannelStatesService,
    private readonly reports: ReportsService,
    private readonly tasks: TasksService,
    private readonly carriers: CarrierReportsService,
    private readonly polls: PollService,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
  ) {}

  /** Submits until no batch is due or the worker shuts down. */
  @HandlesJob('sendings.dispatch')
  async dispatch(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const now = this.clock.now();
      const batch = await this.store.lease(now, after(now, this.config.LEASE_SECONDS));
      if (!batch) return;
      await withIds(idsOf(batch), () =>
        this.submit(batch).catch((error: unknown) =>
          this.log.error(
            { err: error },
            'Submitting a batch failed; it will be retried when its lease expires.',
          ),
        ),
      );
    }
    this.jobs.enqueue('sendings.dispatch', {});
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    const now = this.clock.now();
    if (await this.store.isDue(now)) this.jobs.enqueue('sendings.dispatch', {});
  }

  @Sweeps(500)
  async reclaimExpiredLeases(): Promise<void> {
    const now = this.clock.now();
    await this.db.transaction(async () => {
      for (const batch of this.shutdown.isStopping ? [] : await this.store.lockExpiredLeases(now))
        await withIds(idsOf(batch), () => this.reclaim(batch, now));
    });
  }

  private async submit(batch: LeasedBatch): Promise<void> {
    const started = Date.now();
    const now = this.clock.now();
    // A channel test must use the current settings, not cached ones.
    const driver = await this.channels.driverOf(batch.channel, batch.priority === PRIORITIES.test);
    const refusal = await this.taskRefusal(batch);
    if (driver && refusal && (await this.pauseTask(batch, refusal, now))) return;
    if (!(await this.store.startSubmit(batch, now, after(now, this.config.LEASE_SECONDS)))) {
      return this.store.release(batch, now, now);
    }
    if (!driver || refusal)
      return this.failBatch(batch, await this.store.rows(batch), now, refusal ?? 'channel_down');
    if (batch.attempt > 0) await this.reports.supersede(await this.store.findSuperseded(batch));
    const rows = await this.failDenied(
      batch,
      await this.splitToMax(batch, driver.maxBatch, now),
      now,
    );
    // After a pause of the process the lease may be about to expire, and another worker may submit the batch. A worker that
    // shuts down submits nothing more.
    const isLate = Date.now() - started > this.config.LEASE_SECONDS * 1000 * (1 - LEASE_MARGIN);
    if (isLate || this.shutdown.isStopping) return this.store.release(batch, now, now);
    const signal = AbortSignal.timeout(this.config.LEASE_SECONDS * 1000 * (1 - LEASE_MARGIN));
    let results: SubmitResult[];
    try {
      results = rows.length ? await driver.send(messagesOf(batch, rows), { now, signal }) : [];
    } catch (error) {
      return this.handleError(batch, driver, rows, error);
    }
    await this.record(
      batch,
      driver,
      rows,
      results,
      await this.pollSubmitted(batch, driver, rows, results),
    );
  }

  /** Why a task's account may no longer send this attempt, such as a sender name that was revoked after the start. */
  private async taskRefusal(batch: LeasedBatch): Promise<RulesRefusal | null> {
    const attempt = planOfBatch(batch)?.attempts[batch.attempt];
    if (!batch.taskId || !batch.OwnerId || !attempt) return null;
    return this.rules.submitRefusal(batch.OwnerId, attempt);
  }

  /** Pauses the task with all its unsubmitted batches. False when it is not running: then the batch alone fails. */
  private pauseTask(batch: LeasedBatch, reason: RulesRefusal, now: Date): Promise<boolean> {
    return this.db.transaction(async () => {
      const task = await this.tasks.lockRunning(batch.taskId!);
      if (!task) return false;
      await this.tasks.pauseFor(task, reason, now);
      await this.store.release(batch, now, now);
      return true;
    });
  }

  /** Fails singles whose account may no longer send them and returns the others. A batch may hold singles of several accounts. */
  private async failDenied(batch: LeasedBatch, rows: DueRow[], now: Date): Promise<DueRow[]> {
    if (batch.taskId || batch.priority === PRIORITIES.test) return rows;
    const refused = await this.rules.refusedRows(rows, typeOf(batch.type));
    if (!refused.size) return rows;
    return this.db.transaction(async () => {
      if (!(await this.store.lockLeased(batch))) return [];
      await this.reports.apply(
        [...refused].map(([id, code]) => ({ id, status: 'failed', code, at: now })),
      );
      return rows.filter(({ id }) => !refused.has(id));
    });
  }

  /**
   * Polls the driver right after the submit, so that first reports are recorded with it. Not on shutdown: the submit itself must be
   * recorded without delay.
   */
  private async pollSubmitted(
    batch: LeasedBatch,
    driver: OpenDriver,
    rows: DueRow[],
    results: SubmitResult[],
  ): Promise<PollResult | null> {
    if (!driver.query || this.shutdown.isStopping) return null;
    const accepted = new Set(
      results.filter((r) => r.result === 'accepted').map((r) => r.reference),
    );
    const now = this.clock.now();
    const polled = { ...batch, submittedAt: now, polledAt: null };
    const submitted = rows.filter((r) => accepted.has(r.id));
    return this.polls.query(polled, submitted, now, () => Promise.resolve(driver));
  }

  /** The first messages of a batch, as many as its driver takes in one call. The rest is split into new batches. */
  private async splitToMax(batch: LeasedBatch, max: number, now: Date): Promise<DueRow[]> {
    const rows = await this.store.rows(batch);
    if (rows.length <= max) return rows;
    return this.db.transaction(async () => {
      if (!(await this.store.lockLeased(batch))) return [];
      for (let i = max; i < rows.length; i += max)
        await this.store.split(
          batch,
          rows.slice(i, i + max).map((r) => r.id),
          { stage: BATCH_STAGES.pending, tries: batch.tries, dueAt: now, now },
        );
      return rows.slice(0, max);
    });
  }

  private async handleError(
    batch: LeasedBatch,
    driver: OpenDriver,
    rows: DueRow[],
    error: unknown,
  ): Promise<void> {
    const now = this.clock.now();
    this.states.failed(batch.channel, error);
    if (error instanceof ChannelDown) {
      // The administrator who tests a channel waits for the outcome.
      if (batch.priority === PRIORITIES.test)
        return this.failBatch(batch, rows, now, 'channel_down');
      const since = await this.store.waitingSince(batch);
      if (now.getTime() - since.getTime() > MAX_DOWN_SECONDS * 1000)
        return this.failBatch(batch, rows, now, 'channel_down');
      this.log.warn({ err: error }, 'Channel down; the batch will be retried.');
      return this.store.release(batch, after(now, Math.max(1, error.retryAfter / 1000)), now, {
        tries: 1,
      });
    }
    if (!(error instanceof UnknownOutcome))
      this.log.error(
        { err: error },
        'A driver threw an unexpected error; the outcome of the batch is unknown.',
      );
    await this.record(batch, driver, rows, []);
  }

  /** Stores the driver's results. A message without a result has an unknown outcome. */
  private async record(
    batch: LeasedBatch,
    driver: OpenDriver,
    rows: DueRow[],
    results: SubmitResult[],
    polled: PollResult | null = null,
  ): Promise<void> {
    const now = polled?.polledAt ?? this.clock.now();
    const resultById = new Map(results.map((r) => [r.reference, r]));
    const by = (kind: SubmitResult['result'] | undefined) =>
      rows.filter((r) => resultById.get(r.id)?.result === kind);
    if (results.length) this.states.submitted(batch.channel, by('accepted').length);
    const [unknown, throttled, rejected] = [by(undefined), by('throttled'), by('rejected')];
    const rejections = (group: DueRow[]): Report[] =>
      group.map((r) => {
        const result = resultById.get(r.id) as Extract<SubmitResult, { result: 'rejected' }>;
        return { id: r.id, status: 'failed', code: result.code, at: now };
      });
    await this.db.transaction(async () => {
      // Another worker has reclaimed the batch, counted its unknown outcomes, and decides about a resend.
      if (!(await this.store.lockLeased(batch))) {
        const unresolved = await this.store.withUnknownOutcome(rejected.map((r) => r.id));
        await this.addReferences(batch, results);
        await this.reports.apply(rejections(rejected.filter((r) => unresolved.has(r.id))));
        return;
      }
      if (throttled.length && throttled.length === rows.length) {
        return this.store.release(batch, retryAt(throttled, resultById, now), now, { tries: 1 });
      }
      if (throttled.length) {
        await this.store.split(
          batch,
          throttled.map((r) => r.id),
          {
            stage: BATCH_STAGES.pending,
            tries: batch.tries + 1,
            dueAt: retryAt(throttled, resultById, now),
            now,
          },
        );
      }
      if (unknown.length && unknown.length === rows.length - throttled.length)
        await this.handleUnknownOutcome(batch, driver, unknown, now);
      else {
        if (unknown.length) {
          const part = await this.store.split(
            batch,
            unknown.map((r) => r.id),
            { stage: BATCH_STAGES.submitting, tries: batch.tries, dueAt: now, now },
          );
          await this.handleUnknownOutcome(part, driver, unknown, now);
        }
        const count = rows.length - unknown.length - throttled.length;
        await this.finishSubmit(batch, BATCH_STAGES.submitted, now, driver, count, polled);
      }
      await this.addReferences(batch, results);
      await this.triggerOnSubmit(batch, by('accepted'));
      await this.reports.apply(rejections(rejected));
      if (polled) await this.polls.apply(polled);
    });
  }

  /** Stores ids that the carrier gave, even when another worker has reclaimed the batch: reports may arrive under them. */
  private async addReferences({ channel }: LeasedBatch, results: SubmitResult[]): Promise<void> {
    const references = results.flatMap((r) =>
      'externalId' in r && r.externalId ? [{ id: r.reference, externalId: r.externalId }] : [],
    );
    if (references.length) await this.carriers.addReferences(channel, references);
  }

  /**
   * Resends only where the carrier deduplicates, at growing intervals and a limited number of times: it may forget references at any
   * time. Otherwise the batch waits for a report or for its expiry. Each message is counted once.
   */
  private async handleUnknownOutcome(
    batch: LeasedBatch,
    driver: OpenDriver,
    rows: DueRow[],
    now: Date,
  ): Promise<void> {
    if (batch.taskId && batch.unknownOutcomes === 0)
      await this.tasks.outcomes([{ id: batch.taskId, unknownOutcomes: rows.length }]);
    if (
      driver.deduplicates &&
      batch.priority !== PRIORITIES.test &&
      batch.unknownOutcomes < MAX_RESENDS
    ) {
      const delay = Math.min(2 ** batch.unknownOutcomes, MAX_RESEND_INTERVAL_SECONDS);
      await this.store.release(batch, after(now, delay), now, { tries: 1, unknownOutcomes: 1 });
    } else await this.finishSubmit(batch, BATCH_STAGES.unknown, now, driver, rows.length);
  }

  private async finishSubmit(
    batch: LeasedBatch,
    stage: typeof BATCH_STAGES.submitted | typeof BATCH_STAGES.unknown,
    now: Date,
    driver: OpenDriver,
    count: number,
    polled: PollResult | null = null,
  ): Promise<void> {
    const timeout = timeoutAfter(batch);
    const isOurs = await this.store.finishSubmit(batch, stage, {
      now,
      timerAt: timeout ? after(now, timeout) : null,
      expiresAt: after(now, this.lifetime(typeOf(batch.type), driver)),
      pollAt: polled ? polled.nextAt : driver.query ? now : null,
      polledAt: polled?.polledAt ?? null,
      revision: driver.query ? driver.revision : null,
    });
    if (!isOurs) return;
    if (driver.query && !polled) this.jobs.enqueue('sendings.poll', {});
    if (stage === BATCH_STAGES.submitted) this.metrics.messages(typeOf(batch.type), 'sent', count);
    this.metrics.batch('submitted', count);
    if (batch.OwnerId)
      this.events.counted('sendings', 'updated', batch.OwnerId, batch.taskId, count);
  }

  /** A fallback may be triggered by `sent` or `processing`, which a batch has without a report. */
  private async triggerOnSubmit(batch: LeasedBatch, rows: DueRow[]): Promise<void> {
    const statuses = planOfBatch(batch)?.triggers[batch.attempt]?.onStatus ?? [];
    if (!statuses.includes('sent') && !statuses.includes('processing')) return;
    await this.reports.trigger(
      rows.map((r) => r.id),
      { kind: 'status', status: statuses.includes('sent') ? 'sent' : 'processing' },
    );
  }

  private async failBatch(
    batch: LeasedBatch,
    rows: DueRow[],
    now: Date,
    code: SendingErrorCode,
  ): Promise<void> {
    await this.db.transaction(async () => {
      if (!(await this.store.drop(batch, now))) return;
      await this.reports.apply(rows.map((r) => ({ id: r.id, status: 'failed', code, at: now })));
    });
  }

  private async reclaim(batch: LeasedBatch & { stage: BatchStage }, now: Date): Promise<void> {
    if (batch.stage === BATCH_STAGES.leased)
      return this.store.release(await this.fenced(batch), now, now);
    const driver = await this.channels.driver(batch.channel).catch((error: unknown) => {
      this.log.error(
        { err: error },
        'Channel cannot be opened; a batch with an unknown outcome waits for it.',
      );
    });
    if (driver)
      await this.handleUnknownOutcome(
        await this.fenced(batch),
        driver,
        await this.store.rows(batch),
        now,
      );
  }

  private async fenced(batch: LeasedBatch): Promise<LeasedBatch> {
    return { ...batch, lease: await this.store.fence(batch) };
  }

  private lifetime(type: SendingType, driver: OpenDriver): number {
    const { EXPIRES_SECONDS, EXPIRES_FLASHCALL_SECONDS, EXPIRES_SIMULATOR_SECONDS } = this.config;
    if (driver.name === 'simulator') return EXPIRES_SIMULATOR_SECONDS;
    return type === 'flashcall' ? EXPIRES_FLASHCALL_SECONDS : EXPIRES_SECONDS;
  }
}
