import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, typeOf, type SendingErrorCode, type SendingType } from '@heliograph/domain';
import type { ChannelFacts, SubmitResult } from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { PRIORITIES } from '../priorities.ts';
import { CarrierReportsService } from '../reports/carrier-reports.service.ts';
import { PollService, type PollResult } from '../reports/poll.service.ts';
import { ReportsService, type Report } from '../reports/reports.service.ts';
import { SealedChanges, type SealedChange } from '../sealed-changes.service.ts';
import { StatusEvents } from '../status-events.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { planOfBatch, retryAt, timeoutAfter } from './outgoing.ts';

/** Batches with an unknown outcome are resent up to this often, at growing intervals up to this one: for about an hour in all. */
const MAX_RESENDS = 20;
const MAX_RESEND_INTERVAL_SECONDS = 300;
/** Batches that their channel refuses for so long fail. */
export const MAX_DOWN_SECONDS = 24 * 3600;
/** No batch is resent so long after its first unknown outcome, which may be the time of a pause, of quiet hours or of a carrier that is down. */
const MAX_RESEND_SECONDS = 2 * 3600;

/** Records the results of a submit: accepted, throttled, rejected, or an unknown outcome. */
@Injectable()
export class SubmitResultsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: DispatchStore,
    private readonly states: ChannelStatesService,
    private readonly reports: ReportsService,
    private readonly tasks: TasksService,
    private readonly carriers: CarrierReportsService,
    private readonly polls: PollService,
    private readonly metrics: Metrics,
    private readonly statusEvents: StatusEvents,
    private readonly sealed: SealedChanges,
  ) {}

  /** Stores the driver's results. A message without a result has an unknown outcome; a result of no message of the batch is dropped. */
  async record(
    batch: LeasedBatch,
    facts: ChannelFacts,
    rows: DueRow[],
    given: SubmitResult[],
    polled: PollResult | null = null,
  ): Promise<void> {
    const now = polled?.polledAt ?? this.clock.now();
    const known = new Set(rows.map(({ id }) => id));
    const results = given.filter(({ reference }) => known.has(reference));
    const resultById = new Map(results.map((r) => [r.reference, r]));
    const by = (kind: SubmitResult['result'] | undefined) =>
      rows.filter((r) => resultById.get(r.id)?.result === kind);
    const [unknown, throttled, rejected] = [by(undefined), by('throttled'), by('rejected')];
    if (results.some(({ result }) => result !== 'throttled'))
      this.states.submitted(batch.channel, by('accepted').length);
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
        if (await this.store.isRefusedFor(batch, MAX_DOWN_SECONDS, now, true))
          return this.failBatch(batch, facts, rows, now, 'channel_down');
        const dueAt = retryAt(throttled, resultById, now);
        return this.store.release(batch, dueAt, now, { tries: 1, isDown: true });
      }
      if (throttled.length) {
        await this.store.split(
          batch,
          throttled.map((r) => r.id),
          {
            stage: BATCH_STAGES.pending,
            tries: batch.tries + 1,
            dueAt: retryAt(throttled, resultById, now),
            downSince: batch.downSince ?? now,
          },
        );
      }
      if (unknown.length && unknown.length === rows.length - throttled.length)
        await this.handleUnknownOutcome(batch, facts, unknown, now);
      else {
        if (unknown.length) {
          const part = await this.store.split(
            batch,
            unknown.map((r) => r.id),
            { stage: BATCH_STAGES.submitting, tries: batch.tries, dueAt: now },
          );
          await this.handleUnknownOutcome(part, facts, unknown, now);
        }
        const count = rows.length - unknown.length - throttled.length;
        await this.finishSubmit(batch, BATCH_STAGES.submitted, now, facts, count, polled);
      }
      await this.addReferences(batch, results);
      await this.statusEvents.submitted(by('accepted'));
      if (batch.plan?.isSealed)
        await this.sealed.changed(rows.map((row) => sealedSubmit(batch, row)));
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
   * Ends the resends of a batch that had to wait too long for its next one, or whose carrier does not deduplicate any more; false when
   * it may be submitted. Like an unknown outcome, it waits for a report or for its expiry.
   */
  async endResends(batch: LeasedBatch, facts: ChannelFacts, now: Date): Promise<boolean> {
    const { unknownOutcomes, unknownSince } = batch;
    const isLate = unknownSince && now > secondsAfter(unknownSince, MAX_RESEND_SECONDS);
    if (!unknownOutcomes || (facts.deduplicates && !isLate)) return false;
    await this.db.transaction(() => this.keepUnknown(batch, facts, now));
    return true;
  }

  /** Leaves a batch that is not submitted again to a report or to its expiry. In the caller's transaction. */
  keepUnknown(batch: LeasedBatch, facts: ChannelFacts | undefined, now: Date): Promise<void> {
    return this.finishSubmit(batch, BATCH_STAGES.unknown, now, facts, batch.size);
  }

  /**
   * Resends only where the carrier deduplicates, at growing intervals and a limited number of times: it may forget references at any
   * time. Otherwise the batch waits for a report or for its expiry. Without facts that is decided before the resend. Each message is
   * counted once.
   */
  async handleUnknownOutcome(
    batch: LeasedBatch,
    facts: ChannelFacts | undefined,
    rows: DueRow[],
    now: Date,
  ): Promise<void> {
    if (batch.taskId && batch.unknownOutcomes === 0)
      await this.tasks.outcomes([{ id: batch.taskId, unknownOutcomes: rows.length }]);
    if (
      (facts?.deduplicates ?? true) &&
      batch.priority !== PRIORITIES.test &&
      batch.unknownOutcomes < MAX_RESENDS
    ) {
      const delay = Math.min(2 ** batch.unknownOutcomes, MAX_RESEND_INTERVAL_SECONDS);
      await this.store.release(batch, secondsAfter(now, delay), now, {
        tries: 1,
        unknownOutcomes: 1,
      });
    } else await this.finishSubmit(batch, BATCH_STAGES.unknown, now, facts, rows.length);
  }

  private async finishSubmit(
    batch: LeasedBatch,
    stage: typeof BATCH_STAGES.submitted | typeof BATCH_STAGES.unknown,
    now: Date,
    facts: ChannelFacts | undefined,
    count: number,
    polled: PollResult | null = null,
  ): Promise<void> {
    const timeout = timeoutAfter(batch);
    const isOurs = await this.store.finishSubmit(batch, stage, {
      now,
      timerAt: timeout ? secondsAfter(now, timeout) : null,
      expiresAt: secondsAfter(now, this.lifetime(typeOf(batch.type), facts)),
      pollAt: polled ? polled.nextAt : facts?.isQueried ? now : null,
      polledAt: polled?.polledAt ?? null,
      revision: facts?.isQueried ? facts.revision : null,
    });
    if (!isOurs) return;
    if (facts?.isQueried && !polled) this.jobs.enqueue('sendings.poll', {});
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

  /** Fails all messages of a batch whose lease this worker still holds. Those that the carrier may have are left to their reports. */
  async failBatch(
    batch: LeasedBatch,
    facts: ChannelFacts | undefined,
    rows: DueRow[],
    now: Date,
    code: SendingErrorCode,
  ): Promise<void> {
    await this.db.transaction(async () => {
      if (batch.unknownOutcomes) return this.keepUnknown(batch, facts, now);
      if (!(await this.store.drop(batch, now))) return;
      await this.reports.apply(rows.map((r) => ({ id: r.id, status: 'failed', code, at: now })));
    });
  }

  /** The same for some messages of a batch. False when none of it is to be submitted, also because another worker has reclaimed it. */
  async failSome(
    batch: LeasedBatch,
    facts: ChannelFacts,
    codes: ReadonlyMap<string, SendingErrorCode>,
    now: Date,
  ): Promise<boolean> {
    if (!codes.size) return true;
    return this.db.transaction(async () => {
      if (!(await this.store.lockLeased(batch))) return false;
      if (batch.unknownOutcomes) {
        if (codes.size === batch.size) {
          await this.keepUnknown(batch, facts, now);
          return false;
        }
        const to = { stage: BATCH_STAGES.submitting, tries: batch.tries, dueAt: now };
        await this.keepUnknown(await this.store.split(batch, [...codes.keys()], to), facts, now);
      } else
        await this.reports.apply(
          [...codes].map(([id, code]) => ({ id, status: 'failed', code, at: now })),
        );
      return true;
    });
  }

  private lifetime(type: SendingType, facts: ChannelFacts | undefined): number {
    const { EXPIRES_SECONDS, EXPIRES_FLASHCALL_SECONDS } = this.config;
    const seconds = type === 'flashcall' ? EXPIRES_FLASHCALL_SECONDS : EXPIRES_SECONDS;
    return facts?.expiresAfter?.(type) ?? seconds;
  }
}

const sealedSubmit = ({ type }: LeasedBatch, { id, chainId }: DueRow): SealedChange => ({
  id,
  chainId,
  type,
  status: null,
});
