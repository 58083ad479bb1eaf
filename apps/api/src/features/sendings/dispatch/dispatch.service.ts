import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RulesRefusal } from '@heliograph/domain';
import {
  ChannelDown,
  UnknownOutcome,
  type SubmitResult,
  type OpenDriver,
} from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ChannelConnections } from '../../channels/channel-connections.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { BatchPreparationService } from './batch-preparation.service.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { PRIORITIES } from '../priorities.ts';
import { PollService, type PollResult } from '../reports/poll.service.ts';
import { idsOf, planOfBatch } from './outgoing.ts';
import { MAX_DOWN_SECONDS, SubmitResultsService } from './submit-results.service.ts';

/** A submit that takes longer does not keep its worker from submitting to other channels. */
const SLOW_MS = 1000;
/** With so many slow submits in this process, no further batch of a channel is begun. */
const MAX_SLOW = 2;

/** Until a batch is prepared again after an error. */
const RETRY_UNSENT_SECONDS = 10;

/** Submits due batches: pending -> leased -> submitting, committed before the driver is called. */
@Injectable()
export class DispatchService implements OnModuleDestroy {
  /** Slow submits that still run, with their channels. */
  private readonly slow = new Map<Promise<void>, string>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly store: DispatchStore,
    private readonly channels: ChannelConnections,
    private readonly states: ChannelStatesService,
    private readonly results: SubmitResultsService,
    private readonly tasks: TasksService,
    private readonly polls: PollService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
    private readonly preparation: BatchPreparationService,
  ) {}

  /** Submits until no batch is due or the worker shuts down. */
  @HandlesJob('sendings.dispatch')
  async dispatch(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const now = this.clock.now();
      const until = secondsAfter(now, this.config.LEASE_SECONDS);
      const batch = await this.store.lease(now, until, this.slowChannels());
      if (!batch) return;
      const submit = withIds(idsOf(batch), () =>
        this.submit(batch).catch((error: unknown) =>
          this.log.error(
            { err: error },
            'Submitting a batch failed; it will be retried when its lease expires.',
          ),
        ),
      );
      if (await this.isSlow(submit)) this.continueApart(submit, batch.channel);
    }
    this.jobs.enqueue('sendings.dispatch', {});
  }

  /** Waits for slow submits before their dependencies are closed. From here on none is added. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    await Promise.all(this.slow.keys());
  }

  /** Waits for a submit while it is not slow; on shutdown to its end. */
  private async isSlow(submit: Promise<void>): Promise<boolean> {
    const timer = new AbortController();
    const slow = sleep(SLOW_MS, true, timer).catch(() => false);
    const isSlow = await Promise.race([submit.then(() => false), slow]);
    timer.abort();
    if (!isSlow || !this.shutdown.isStopping) return isSlow;
    await submit;
    return false;
  }

  private continueApart(submit: Promise<void>, channel: string): void {
    const ended = submit.then(() => {
      this.slow.delete(ended);
      this.jobs.enqueue('sendings.dispatch', {});
    });
    this.slow.set(ended, channel);
  }

  /** Channels of which no further batch is begun. */
  private slowChannels(): string[] {
    const channels = Map.groupBy(this.slow.values(), (channel) => channel);
    return [...channels].flatMap(([channel, { length }]) => (length < MAX_SLOW ? [] : [channel]));
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    const now = this.clock.now();
    if (await this.store.isDue(now)) this.jobs.enqueue('sendings.dispatch', {});
  }

  private async submit(batch: LeasedBatch): Promise<void> {
    const started = Date.now();
    const now = this.clock.now();
    // A channel test must use the current settings, not cached ones.
    const opened = await this.channels
      .of(batch.channel, batch.priority === PRIORITIES.test)
      .catch((error: unknown) => {
        if (error instanceof ChannelDown) return error;
        throw error;
      });
    const refusal = await this.taskRefusal(batch);
    if (opened && refusal && (await this.pauseTask(batch, refusal, now))) return;
    if (!(await this.store.startSubmit(batch, secondsAfter(now, this.config.LEASE_SECONDS)))) {
      return this.store.release(batch, now, now);
    }
    const isOpen = !(opened instanceof ChannelDown);
    if (!isOpen && !refusal)
      return this.waitForChannel(batch, undefined, await this.store.rows(batch), opened);
    const driver = isOpen ? opened : undefined;
    const prepared = await this.preparation
      .prepare(batch, driver?.facts, refusal, { started, now })
      .catch((error: unknown) => this.retryUnsent(batch, driver, error));
    if (!driver || !prepared) return;
    const { rows, messages, signal } = prepared;
    let results: SubmitResult[];
    try {
      results = rows.length ? await driver.send(messages, { now, signal }) : [];
    } catch (error) {
      return this.handleError(batch, driver, rows, error);
    }
    await this.results.record(
      batch,
      driver.facts,
      rows,
      results,
      await this.pollSubmitted(batch, driver, rows, results),
    );
  }

  /** An error before the driver was called: nothing has left the process, so the outcome is known. */
  private async retryUnsent(
    batch: LeasedBatch,
    driver: OpenDriver | undefined,
    error: unknown,
  ): Promise<null> {
    this.log.error({ err: error }, 'A batch could not be prepared; it will be retried.');
    await this.retryOrFail(batch, driver, await this.store.rows(batch), RETRY_UNSENT_SECONDS);
    return null;
  }

  /** Submits a batch again later of which this submit has given the carrier nothing; fails it if that has not worked for too long. */
  private async retryOrFail(
    batch: LeasedBatch,
    driver: OpenDriver | undefined,
    rows: DueRow[],
    seconds: number,
    tries?: 1,
  ): Promise<void> {
    const now = this.clock.now();
    // The administrator who tests a channel waits for the outcome.
    if (
      batch.priority === PRIORITIES.test ||
      (await this.store.isRefusedFor(batch, MAX_DOWN_SECONDS, now))
    )
      return this.results.failBatch(batch, driver?.facts, rows, now, 'channel_down');
    return this.store.release(batch, secondsAfter(now, seconds), now, { tries, isDown: true });
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
    const polled = { ...batch, submittedAt: now, polledAt: null, isClosed: false };
    const submitted = rows.filter((r) => accepted.has(r.id));
    return this.polls.query(polled, submitted, now, () => Promise.resolve(driver));
  }

  private async handleError(
    batch: LeasedBatch,
    driver: OpenDriver,
    rows: DueRow[],
    error: unknown,
  ): Promise<void> {
    if (error instanceof ChannelDown) return this.waitForChannel(batch, driver, rows, error);
    this.states.failed(batch.channel, error);
    if (!(error instanceof UnknownOutcome))
      this.log.error(
        { err: error },
        'A driver threw an unexpected error; the outcome of the batch is unknown.',
      );
    await this.results.record(batch, driver.facts, rows, []);
  }

  /** The carrier took nothing of the batch, or the channel cannot be opened: then there is no driver, and no try to count. */
  private waitForChannel(
    batch: LeasedBatch,
    driver: OpenDriver | undefined,
    rows: DueRow[],
    error: ChannelDown,
  ): Promise<void> {
    this.states.failed(batch.channel, error);
    this.log.warn({ err: error }, 'Channel down; the batch will be retried.');
    const seconds = Math.max(1, error.retryAfter / 1000);
    return this.retryOrFail(batch, driver, rows, seconds, driver && 1);
  }
}
