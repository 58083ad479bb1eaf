import { Injectable } from '@nestjs/common';
import type { RulesRefusal, SendingErrorCode } from '@heliograph/domain';
import {
  ChannelDown,
  UnknownOutcome,
  type OpenDriver,
  type SubmitResult,
} from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db, isUnavailable } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { Slices } from '../../../core/slices.ts';
import { stopwatch } from '../../../core/time.ts';
import { ChannelConnections } from '../../channels/channel-connections.service.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { PRIORITIES } from '../priorities.ts';
import { PollService, type PollResult } from '../reports/poll.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { SealedTexts } from '../sealed-texts.service.ts';
import { StatusEvents } from '../status-events.ts';
import { BatchPreparationService, type PreparedBatch } from './batch-preparation.service.ts';
import { DispatchStore, type LeasedBatch } from './dispatch.store.ts';
import { formatted } from './formatted.ts';
import { planOfBatch } from './outgoing.ts';
import { SubmitLease, timeoutOf } from './submit-lease.ts';
import {
  MAX_DOWN_SECONDS,
  SubmitResultsService,
  type SubmittedBatch,
} from './submit-results.service.ts';

/** Until a batch is prepared again after an error. */
const RETRY_UNSENT_SECONDS = 10;
/** Batches that are failed at a time. */
const REFUSED_LIMIT = 50;

/** Submits leased batches of one channel in one call of its driver: leased -> submitting, committed before the call. */
@Injectable()
export class SubmitService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
    private readonly store: DispatchStore,
    private readonly jobs: Jobs,
    private readonly channels: ChannelsService,
    private readonly connections: ChannelConnections,
    private readonly states: ChannelStatesService,
    private readonly results: SubmitResultsService,
    private readonly tasks: TasksService,
    private readonly polls: PollService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
    private readonly preparation: BatchPreparationService,
    private readonly sealed: SealedTexts,
    private readonly statusEvents: StatusEvents,
    private readonly slices: Slices,
  ) {}

  async submit(leased: LeasedBatch[]): Promise<void> {
    const elapsed = stopwatch();
    const now = this.clock.now();
    const { channel, priority } = leased[0]!;
    // A channel test must use the current settings, not cached ones.
    const opened = await this.connections
      .of(channel, priority === PRIORITIES.test)
      .catch((error: unknown) => {
        if (error instanceof ChannelDown) return error;
        throw error;
      });
    const refusals = new Map<LeasedBatch, RulesRefusal>();
    const kept: LeasedBatch[] = [];
    for (const batch of leased) {
      const refusal = await this.taskRefusal(batch);
      if (refusal && opened && (await this.pauseTask(batch, refusal, now))) continue;
      if (refusal) refusals.set(batch, refusal);
      kept.push(batch);
    }
    const startedIds = await this.store.startSubmit(
      kept,
      secondsAfter(now, this.config.LEASE_SECONDS),
    );
    const batches = kept.filter(({ id }) => startedIds.has(id));
    const others = kept.filter(({ id }) => !startedIds.has(id));
    await this.store.release(others, now, now);
    if (!batches.length) return;
    const rows = await this.store.rowsOf(batches);
    const driver = opened instanceof ChannelDown ? undefined : opened;
    // A rate applies without opening the channel anew.
    const limits = await this.channels.factsOf(channel);
    const facts = driver && { ...driver.facts, maxSegments: limits?.maxSegments };
    // Before its first lease a late delivery fails a fallback itself (`ReportsStore.cancelFallbacks`).
    const superseded = await this.store.findSuperseded(
      batches.filter(({ attempt, lease }) => attempt > 0 && lease > 1),
    );
    const prepared: PreparedBatch[] = [];
    const waiting: SubmittedBatch[] = [];
    for (const batch of batches) {
      const own = { batch, rows: rows.get(batch.id) ?? [] };
      const isExpired = batch.validUntil && batch.validUntil <= now;
      const refusal = isExpired ? 'expired' : (refusals.get(batch) ?? null);
      if (opened instanceof ChannelDown && !refusal) waiting.push(own);
      else {
        const ready = await this.preparation
          .prepare({ ...own, refusal, superseded }, facts, now)
          .catch((error: unknown) => this.retryUnsent(batch, driver, error));
        if (ready) prepared.push(ready);
      }
    }
    if (opened instanceof ChannelDown && waiting.length)
      await this.waitForChannel(waiting, undefined, opened);
    if (driver && prepared.length) await this.send(driver, prepared, elapsed);
  }

  private async send(
    driver: OpenDriver,
    prepared: PreparedBatch[],
    elapsed: () => number,
  ): Promise<void> {
    const now = this.clock.now();
    const revealed = await this.reveal(driver, prepared, now);
    // After a pause of the process the leases may be about to expire, and another worker may submit the batches. A worker that
    // shuts down submits nothing more.
    const leaseMs = this.config.LEASE_SECONDS * 1000;
    if (elapsed() > timeoutOf(leaseMs) || this.shutdown.isStopping) {
      const unsent = revealed.map(({ batch }) => batch);
      await this.store.release(unsent, now, now);
      return;
    }
    if (!revealed.length) return;
    // Once: not again when the carrier is asked later.
    const first = revealed.filter(({ batch }) => batch.tries === 0 && !batch.isAnnounced);
    if (first.length) await this.statusEvents.submitting(first.flatMap(({ rows }) => rows));
    const messages = revealed.flatMap((one) => one.messages);
    let results: SubmitResult[] = [];
    if (messages.length) {
      const lease = new SubmitLease({
        leaseMs,
        elapsedMs: elapsed(),
        renew: () => this.renew(revealed),
        isStopping: () => this.shutdown.isStopping,
      });
      const { signal } = lease;
      try {
        const progress = () => lease.progress();
        const images = new Map(revealed.flatMap((one) => [...one.images]));
        const ready = await formatted(messages, images, this.slices, progress);
        results = await driver.send(ready, { now, signal, progress });
      } catch (error) {
        return await this.handleError(driver, revealed, error);
      } finally {
        await lease.end();
      }
      if (results.some(({ result }) => result !== 'unsent'))
        await this.endProbe(revealed[0]!.batch);
    }
    const polled = await this.pollSubmitted(driver, revealed, results);
    await this.results.record(revealed, driver.facts, results, polled);
  }

  /** False when another worker has reclaimed some of them: then nothing more is to be submitted. */
  private async renew(prepared: PreparedBatch[]): Promise<boolean> {
    const batches = prepared.map(({ batch }) => batch);
    const until = secondsAfter(this.clock.now(), this.config.LEASE_SECONDS);
    return (await this.store.renew(batches, until)) === batches.length;
  }

  /** With the texts that only the carrier may read. A batch fails if one of its texts has expired. */
  private async reveal(
    { facts }: OpenDriver,
    prepared: PreparedBatch[],
    now: Date,
  ): Promise<PreparedBatch[]> {
    const secret = prepared.filter(({ batch }) => batch.plan?.isSealed);
    if (!secret.length) return prepared;
    const texts = await this.sealed.textsOf(
      secret.flatMap(({ messages }) => messages.map(({ reference }) => reference)),
    );
    const revealed: PreparedBatch[] = [];
    const expired: PreparedBatch[] = [];
    for (const one of prepared) {
      const messages = one.batch.plan?.isSealed
        ? this.sealed.reveal(one.messages, texts)
        : one.messages;
      if (messages) revealed.push({ ...one, messages });
      else expired.push(one);
    }
    await this.results.failBatches(expired, facts, now, 'expired');
    return revealed;
  }

  /** The channel has answered: what waited for it is due at once. */
  private async endProbe({ channel, isProbe, priority }: LeasedBatch): Promise<void> {
    if (!isProbe && priority !== PRIORITIES.test) return;
    await this.states.up(channel);
    this.jobs.enqueue('sendings.dispatch', {});
  }

  /** Fails messages that have waited for a day for a channel that is down all this time. Most of them were never tried. */
  @Sweeps(1000)
  async failRefused(): Promise<boolean> {
    const now = this.clock.now();
    const until = secondsAfter(now, this.config.LEASE_SECONDS);
    const batches = await this.store.leaseRefused(now, until, MAX_DOWN_SECONDS, REFUSED_LIMIT);
    return this.failLeased(batches, now, 'channel_down');
  }

  /** Fails messages that wait beyond their validity. */
  @Sweeps(1000)
  async failExpired(): Promise<boolean> {
    const now = this.clock.now();
    const until = secondsAfter(now, this.config.LEASE_SECONDS);
    return this.failLeased(
      await this.store.leaseExpired(now, until, REFUSED_LIMIT),
      now,
      'expired',
    );
  }

  /** Whether there may be more of them. */
  private async failLeased(
    batches: LeasedBatch[],
    now: Date,
    code: SendingErrorCode,
  ): Promise<boolean> {
    if (!batches.length) return false;
    const rows = await this.store.rowsOf(batches);
    for (const [channel, own] of Map.groupBy(batches, (batch) => batch.channel)) {
      const failed = own.map((batch) => ({ batch, rows: rows.get(batch.id) ?? [] }));
      const facts = await this.channels.factsOf(channel);
      await this.results.failBatches(failed, facts, now, code).catch(async (error: unknown) => {
        if (isUnavailable(error)) throw error;
        // One whose end cannot be written keeps no other one: it is reclaimed.
        for (const one of failed)
          await this.results
            .failBatches([one], facts, now, code)
            .catch((err: unknown) =>
              this.log.error({ err, batchId: one.batch.id }, 'A batch could not be failed.'),
            );
      });
    }
    return batches.length === REFUSED_LIMIT;
  }

  /** An error before the driver was called: nothing has left the process, so the outcome is known. */
  private async retryUnsent(
    batch: LeasedBatch,
    driver: OpenDriver | undefined,
    error: unknown,
  ): Promise<null> {
    this.log.error({ err: error }, 'A batch could not be prepared; it will be retried.');
    const rows = await this.store.rows(batch);
    await this.retryOrFail([{ batch, rows }], driver, RETRY_UNSENT_SECONDS);
    return null;
  }

  /** Submits batches again later of which this submit has given the carrier nothing; fails those with which that has not worked for too long. */
  private async retryOrFail(
    given: SubmittedBatch[],
    driver: OpenDriver | undefined,
    seconds: number,
    tries?: 1,
  ): Promise<void> {
    const now = this.clock.now();
    const batches = given.map(({ batch }) => batch);
    const refused = await this.store.refusedFor(batches, MAX_DOWN_SECONDS, now);
    // The administrator who tests a channel waits for the outcome.
    const isOver = ({ id, priority }: LeasedBatch) =>
      priority === PRIORITIES.test || refused.has(id);
    const failed = given.filter(({ batch }) => isOver(batch));
    await this.results.failBatches(failed, driver?.facts, now, 'channel_down');
    const waiting = batches.filter((batch) => !isOver(batch));
    const dueAt = secondsAfter(now, seconds);
    await this.store.release(waiting, dueAt, now, { tries, isDown: true });
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
      await this.store.release([batch], now, now);
      return true;
    });
  }

  /**
   * Polls the driver right after the submit, so that first reports are recorded with it. Not on shutdown: the submit itself must be
   * recorded without delay.
   */
  private async pollSubmitted(
    driver: OpenDriver,
    submitted: PreparedBatch[],
    results: SubmitResult[],
  ): Promise<PollResult | null> {
    if (!driver.query || this.shutdown.isStopping) return null;
    const accepted = new Set(
      results.filter((r) => r.result === 'accepted').map((r) => r.reference),
    );
    const now = this.clock.now();
    const { channel } = submitted[0]!.batch;
    const rows = submitted.flatMap(({ batch, rows: own }) =>
      own
        .filter(({ id }) => accepted.has(id))
        .map(({ id, phone }) => ({ id, phone, type: batch.type, isReported: false })),
    );
    const polled = { channel, submittedAt: now, polledAt: null, isClosed: false, isUnknown: false };
    return this.polls.query(polled, rows, now, () => Promise.resolve(driver));
  }

  private async handleError(
    driver: OpenDriver,
    submitted: PreparedBatch[],
    error: unknown,
  ): Promise<void> {
    if (error instanceof ChannelDown) return this.waitForChannel(submitted, driver, error);
    this.states.failed(submitted[0]!.batch.channel, error);
    if (!(error instanceof UnknownOutcome))
      this.log.error(
        { err: error },
        'A driver threw an unexpected error; the outcome of the batch is unknown.',
      );
    await this.results.record(submitted, driver.facts, []);
  }

  /** The carrier took nothing, or the channel cannot be opened: then there is no driver, and no try to count. */
  private async waitForChannel(
    refused: SubmittedBatch[],
    driver: OpenDriver | undefined,
    error: ChannelDown,
  ): Promise<void> {
    const { channel, isProbe = false } = refused[0]!.batch;
    await this.states.down(channel, error, isProbe);
    this.log.warn({ err: error }, 'Channel down; it is tried again later.');
    const seconds = Math.max(1, error.retryAfter / 1000);
    await this.retryOrFail(refused, driver, seconds, driver && 1);
  }
}
