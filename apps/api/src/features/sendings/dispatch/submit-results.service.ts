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
import { planOfBatch, timeoutAfter } from './outgoing.ts';

/** Batches with an unknown outcome are resent up to this often, at growing intervals up to this one: for about an hour in all. */
const MAX_RESENDS = 20;
const MAX_RESEND_INTERVAL_SECONDS = 300;
/** Batches that their channel refuses for so long fail. */
export const MAX_DOWN_SECONDS = 24 * 3600;
/** No batch is resent so long after its first unknown outcome, which may be the time of a pause, of quiet hours or of a carrier that is down. */
const MAX_RESEND_SECONDS = 2 * 3600;

/** A batch with those of its messages that were submitted. */
export interface SubmittedBatch {
  batch: LeasedBatch;
  rows: DueRow[];
}

/** Records the results of a submit: accepted, throttled, rejected, unsent, or an unknown outcome. */
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

  /**
   * Stores the driver's results of one call. A message without a result has an unknown outcome; a result of no message of the batches
   * is dropped. First the batches are written, then all that their messages became, at once.
   */
  async record(
    submitted: SubmittedBatch[],
    facts: ChannelFacts,
    given: SubmitResult[],
    polled: PollResult | null = null,
  ): Promise<void> {
    const now = polled?.polledAt ?? this.clock.now();
    const { channel } = submitted[0]!.batch;
    const known = new Set(submitted.flatMap(({ rows }) => rows.map(({ id }) => id)));
    const results = given.filter(({ reference }) => known.has(reference));
    const resultById = new Map(results.map((r) => [r.reference, r]));
    const isAccepted = ({ id }: DueRow) => resultById.get(id)?.result === 'accepted';
    const isTaken = results.some(({ result }) => result === 'accepted' || result === 'rejected');
    // With a call that gave the carrier nothing, the next one would probably be like it.
    const unsentAt = isTaken ? now : new Date(now.getTime() + MIN_RETRY_MS);
    if (isTaken)
      this.states.submitted(channel, results.filter((r) => r.result === 'accepted').length);
    await this.db.transaction(async () => {
      const ours = await this.store.lockLeasedOf(submitted.map(({ batch }) => batch));
      const finished: SubmittedBatch[] = [];
      const rejections: Report[] = [];
      for (const { batch, rows } of submitted) {
        const classified = classify(rows, resultById, unsentAt);
        const rejected = classified.rejected.map(({ id, code }) => failure(id, code, now));
        // Another worker has reclaimed the batch, counted its unknown outcomes, and decides about a resend.
        if (!ours.has(batch.id)) {
          const open = await this.store.withUnknownOutcome(rejected.map(({ id }) => id));
          rejections.push(...rejected.filter(({ id }) => open.has(id)));
          continue;
        }
        const taken = await this.keepUntaken({ batch, rows }, classified, facts, now);
        if (taken) finished.push({ batch, rows: taken });
        rejections.push(...rejected);
      }
      await this.finishSubmit(
        finished.map(({ batch, rows }) => ({ batch, count: rows.length })),
        BATCH_STAGES.submitted,
        now,
        facts,
        polled,
      );
      const early = await this.addReferences(channel, results);
      await this.statusEvents.submitted(finished.flatMap(({ rows }) => rows.filter(isAccepted)));
      const secret = submitted.filter(({ batch }) => batch.plan?.isSealed && ours.has(batch.id));
      await this.sealed.changed(
        secret.flatMap(({ batch, rows }) => rows.map((row) => sealedSubmit(batch, row))),
      );
      for (const { batch, rows } of finished)
        await this.triggerOnSubmit(batch, rows.filter(isAccepted));
      const polledReports = polled ? await this.carriers.matched(channel, polled.reports) : [];
      await this.reports.apply([...early, ...rejections, ...polledReports]);
      if (polled) await this.polls.receive(polled);
    });
  }

  /** What the carrier has not taken waits, or its outcome is unknown. Returns the others; null if none of the batch was taken. */
  private async keepUntaken(
    { batch, rows }: SubmittedBatch,
    { throttled, unsent, unsentAt, unknown, retryAfter }: Classified,
    facts: ChannelFacts,
    now: Date,
  ): Promise<DueRow[] | null> {
    const dueAt = new Date(now.getTime() + Math.max(MIN_RETRY_MS, retryAfter));
    if (throttled.length && throttled.length === rows.length) {
      if (await this.store.isRefusedFor(batch, MAX_DOWN_SECONDS, now, true))
        await this.failBatch(batch, facts, rows, now, 'channel_down');
      else await this.store.release(batch, dueAt, now, { tries: 1, isDown: true });
      return null;
    }
    if (throttled.length)
      await this.store.split(batch, idsOf(throttled), {
        stage: BATCH_STAGES.pending,
        tries: batch.tries + 1,
        dueAt,
        downSince: batch.downSince ?? now,
      });
    if (unsent.length && unsent.length === rows.length - throttled.length) {
      await this.store.release(batch, unsentAt, now);
      return null;
    }
    if (unsent.length) {
      const to = { stage: BATCH_STAGES.pending, tries: batch.tries, dueAt: unsentAt };
      await this.store.split(batch, idsOf(unsent), to);
    }
    if (unknown.length && unknown.length === rows.length - throttled.length - unsent.length) {
      await this.handleUnknownOutcome(batch, facts, unknown, now);
      return null;
    }
    if (unknown.length) {
      const to = { stage: BATCH_STAGES.submitting, tries: batch.tries, dueAt: now };
      const part = await this.store.split(batch, idsOf(unknown), to);
      await this.handleUnknownOutcome(part, facts, unknown, now);
    }
    const untaken = new Set([...throttled, ...unsent, ...unknown]);
    return rows.filter((row) => !untaken.has(row));
  }

  /** Stores ids that the carrier gave, even when another worker has reclaimed the batch: reports may arrive under them. */
  private async addReferences(channel: string, results: SubmitResult[]): Promise<Report[]> {
    const references = results.flatMap((r) =>
      r.result === 'accepted' && r.externalIds
        ? [{ id: r.reference, externalIds: r.externalIds }]
        : [],
    );
    return references.length ? this.carriers.addReferences(channel, references) : [];
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
    return this.finishSubmit([{ batch, count: batch.size }], BATCH_STAGES.unknown, now, facts);
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
    } else
      await this.finishSubmit([{ batch, count: rows.length }], BATCH_STAGES.unknown, now, facts);
  }

  private async finishSubmit(
    submitted: { batch: LeasedBatch; count: number }[],
    stage: typeof BATCH_STAGES.submitted | typeof BATCH_STAGES.unknown,
    now: Date,
    facts: ChannelFacts | undefined,
    polled: PollResult | null = null,
  ): Promise<void> {
    if (!submitted.length) return;
    const batches = submitted.map(({ batch }) => {
      const timeout = timeoutAfter(batch);
      return {
        ...batch,
        timerAt: timeout ? secondsAfter(now, timeout) : null,
        expiresAt: secondsAfter(now, this.lifetime(typeOf(batch.type), facts)),
      };
    });
    const ours = await this.store.finishSubmit(batches, stage, {
      now,
      pollAt: polled ? polled.nextAt : facts?.isQueried ? now : null,
      polledAt: polled?.polledAt ?? null,
      revision: facts?.isQueried ? facts.revision : null,
    });
    if (!ours.size) return;
    if (facts?.isQueried && !polled) this.jobs.enqueue('sendings.poll', {});
    for (const { batch, count } of submitted) {
      if (!ours.has(batch.id)) continue;
      if (stage === BATCH_STAGES.submitted)
        this.metrics.messages(typeOf(batch.type), 'sent', count);
      this.metrics.batch('submitted', count);
      if (batch.OwnerId)
        this.events.counted('sendings', 'updated', batch.OwnerId, batch.taskId, count);
    }
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
      await this.reports.apply(rows.map(({ id }) => failure(id, code, now)));
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
      } else await this.reports.apply([...codes].map(([id, code]) => failure(id, code, now)));
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

const failure = (id: string, code: SendingErrorCode, at: Date): Report => ({
  id,
  status: 'failed',
  code,
  at,
});

const idsOf = (rows: DueRow[]) => rows.map(({ id }) => id);

/** A carrier that gives no time to wait, or seconds as milliseconds, is not asked in a loop. */
const MIN_RETRY_MS = 1000;

/** The messages of a batch that their carrier has not accepted; of `unknown` it said nothing. */
interface Classified {
  rejected: { id: string; code: SendingErrorCode }[];
  throttled: DueRow[];
  /** The longest wait of those, in milliseconds. */
  retryAfter: number;
  unsent: DueRow[];
  /** When those are submitted again. */
  unsentAt: Date;
  unknown: DueRow[];
}

function classify(
  rows: DueRow[],
  resultById: ReadonlyMap<string, SubmitResult>,
  unsentAt: Date,
): Classified {
  const classified: Classified = {
    rejected: [],
    throttled: [],
    retryAfter: 0,
    unsent: [],
    unsentAt,
    unknown: [],
  };
  for (const row of rows) {
    const given = resultById.get(row.id);
    if (!given) classified.unknown.push(row);
    else if (given.result === 'unsent') classified.unsent.push(row);
    else if (given.result === 'rejected')
      classified.rejected.push({ id: row.id, code: given.code });
    else if (given.result === 'throttled') {
      classified.throttled.push(row);
      classified.retryAfter = Math.max(classified.retryAfter, given.retryAfter);
    }
  }
  return classified;
}
