import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  carrierFailure,
  typeOf,
  type SendingErrorCode,
  type SendingType,
} from '@heliograph/domain';
import type { ChannelFacts, SubmitResult } from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { ChannelTraffic } from '../../channels/channel-traffic.service.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { PurchasePricesService } from '../../purchase-prices/purchase-prices.service.ts';
import {
  SuppressionsService,
  type RecipientSuppression,
} from '../../suppressions/suppressions.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { operators } from '../pricing/operators.ts';
import { PRIORITIES } from '../priorities.ts';
import { CarrierReportsService } from '../reports/carrier-reports.service.ts';
import { ClosingStore } from '../reports/closing.store.ts';
import { PollService, type PollResult } from '../reports/poll.service.ts';
import { ReportsService, type Report } from '../reports/reports.service.ts';
import { CallCostsService } from '../call-costs.service.ts';
import { SealedChanges, type SealedChange } from '../sealed-changes.service.ts';
import { StatusEvents } from '../status-events.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { planOfBatch, timeoutAfter } from './outgoing.ts';
import { costsOf, type SubmitCost } from './submit-costs.ts';

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
    private readonly closing: ClosingStore,
    private readonly prices: PurchasePricesService,
    private readonly callCosts: CallCostsService,
    private readonly traffic: ChannelTraffic,
    private readonly suppressions: SuppressionsService,
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
    const book = await this.prices.bookOf(channel);
    await this.db.transaction(async () => {
      const ours = await this.store.lockLeasedOf(submitted.map(({ batch }) => batch));
      const finished: SubmittedBatch[] = [];
      const rejections: Report[] = [];
      const lost: Report[] = [];
      const untaken: Untaken = { throttled: [], unsent: [], unknown: [] };
      for (const { batch, rows } of submitted) {
        const classified = classify(rows, resultById);
        const rejected = classified.rejected.map((said) => rejection(said, now));
        // Another worker has reclaimed the batch, counted its unknown outcomes, and decides about a resend.
        if (!ours.has(batch.id)) {
          lost.push(...rejected);
          continue;
        }
        const taken = await this.splitUntaken({ batch, rows }, classified, untaken, unsentAt, now);
        if (taken) finished.push({ batch, rows: taken });
        rejections.push(...rejected);
      }
      this.countResults(submitted, resultById);
      await this.keepThrottled(untaken.throttled, facts, now);
      await this.store.release(untaken.unsent, unsentAt, now, { isAnnounced: true });
      await this.handleUnknownOutcomes(untaken.unknown, facts, now);
      const open = await this.store.withUnknownOutcome(lost.map(({ id }) => id));
      rejections.push(...lost.filter(({ id }) => open.has(id)));
      const accepted = finished.map(({ batch, rows }) => ({
        batch,
        rows: rows.filter(isAccepted),
      }));
      const { costs, calls } = costsOf(finished, isAccepted, book, operators(), now);
      await this.finishSubmit(
        finished.map(({ batch, rows }) => ({ batch, count: rows.length })),
        BATCH_STAGES.submitted,
        now,
        facts,
        polled,
        costs,
      );
      await this.callCosts.submitted(calls, now);
      const early = await this.addReferences(channel, results);
      await this.statusEvents.submitted(accepted.flatMap(({ rows }) => rows));
      const secret = submitted.filter(({ batch }) => batch.plan?.isSealed && ours.has(batch.id));
      await this.sealed.changed(
        secret.flatMap(({ batch, rows }) => rows.map((row) => sealedSubmit(batch, row))),
      );
      await this.triggerOnSubmit(accepted);
      const polledReports = polled ? await this.carriers.matched(channel, polled.reports) : [];
      await this.reports.apply([...early, ...rejections, ...polledReports]);
      await this.suppressions.suppressRecipients(suppressionsIn(results));
      if (polled) await this.polls.receive(polled);
    });
  }

  /**
   * Gives what the carrier has not taken of a batch a batch of its own, or adds the batch to `untaken` if that is all of it. Returns the
   * other messages; null if there are none.
   */
  private async splitUntaken(
    { batch, rows }: SubmittedBatch,
    { throttled, unsent, unknown, retryAfter }: Classified,
    untaken: Untaken,
    unsentAt: Date,
    now: Date,
  ): Promise<DueRow[] | null> {
    const dueAt = new Date(now.getTime() + Math.max(MIN_RETRY_MS, retryAfter));
    if (throttled.length && throttled.length === rows.length) {
      untaken.throttled.push({ batch, rows, dueAt });
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
      untaken.unsent.push(batch);
      return null;
    }
    if (unsent.length) {
      const to = { stage: BATCH_STAGES.pending, tries: batch.tries, dueAt: unsentAt };
      await this.store.split(batch, idsOf(unsent), { ...to, isAnnounced: true });
    }
    if (unknown.length && unknown.length === rows.length - throttled.length - unsent.length) {
      untaken.unknown.push({ batch, rows: unknown });
      return null;
    }
    if (unknown.length) {
      const to = { stage: BATCH_STAGES.submitting, tries: batch.tries, dueAt: now };
      const part = await this.store.split(batch, idsOf(unknown), to);
      untaken.unknown.push({ batch: part, rows: unknown });
    }
    const others = new Set([...throttled, ...unsent, ...unknown]);
    return rows.filter((row) => !others.has(row));
  }

  private countResults(
    submitted: SubmittedBatch[],
    resultById: ReadonlyMap<string, SubmitResult>,
  ): void {
    const { channel } = submitted[0]!.batch;
    const rows = submitted.flatMap((one) => one.rows);
    const results = Map.groupBy(rows, ({ id }) => resultById.get(id)?.result ?? 'unknown');
    for (const [result, { length }] of results) {
      this.metrics.submitted(channel, result, length);
      this.traffic.submitted(channel, result, length);
    }
  }

  /** Batches that the carrier has throttled as a whole wait, or fail when it has taken nothing for a day. */
  private async keepThrottled(
    throttled: Untaken['throttled'],
    facts: ChannelFacts,
    now: Date,
  ): Promise<void> {
    if (!throttled.length) return;
    const batches = throttled.map(({ batch }) => batch);
    const refused = await this.store.refusedFor(batches, MAX_DOWN_SECONDS, now, true);
    const failed = throttled.filter(({ batch }) => refused.has(batch.id));
    await this.failBatches(failed, facts, now, 'channel_down');
    const waiting = throttled.filter(({ batch }) => !refused.has(batch.id));
    for (const own of Map.groupBy(waiting, ({ dueAt }) => dueAt.getTime()).values())
      await this.store.release(
        own.map(({ batch }) => batch),
        own[0]!.dueAt,
        now,
        { tries: 1, isDown: true },
      );
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
  async handleUnknownOutcomes(
    given: SubmittedBatch[],
    facts: ChannelFacts | undefined,
    now: Date,
  ): Promise<void> {
    if (!given.length) return;
    const counts = new Map<string, number>();
    for (const { batch, rows } of given)
      if (batch.taskId && batch.unknownOutcomes === 0)
        counts.set(batch.taskId, (counts.get(batch.taskId) ?? 0) + rows.length);
    await this.tasks.outcomes(
      [...counts].map(([id, unknownOutcomes]) => ({ id, unknownOutcomes })),
    );
    const isResent = ({ priority, unknownOutcomes }: LeasedBatch) =>
      (facts?.deduplicates ?? true) &&
      priority !== PRIORITIES.test &&
      unknownOutcomes < MAX_RESENDS;
    const resent = given.map(({ batch }) => batch).filter(isResent);
    for (const [unknownOutcomes, own] of Map.groupBy(resent, (batch) => batch.unknownOutcomes)) {
      const delay = Math.min(2 ** unknownOutcomes, MAX_RESEND_INTERVAL_SECONDS);
      const change = { tries: 1, unknownOutcomes: 1 } as const;
      await this.store.release(own, secondsAfter(now, delay), now, change);
    }
    const kept = given.filter(({ batch }) => !isResent(batch));
    await this.finishSubmit(
      kept.map(({ batch, rows }) => ({ batch, count: rows.length })),
      BATCH_STAGES.unknown,
      now,
      facts,
    );
  }

  private async finishSubmit(
    submitted: { batch: LeasedBatch; count: number }[],
    stage: typeof BATCH_STAGES.submitted | typeof BATCH_STAGES.unknown,
    now: Date,
    facts: ChannelFacts | undefined,
    polled: PollResult | null = null,
    costs: SubmitCost[] = [],
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
    const at = {
      now,
      pollAt: polled ? polled.nextAt : facts?.isQueried ? now : null,
      polledAt: polled?.polledAt ?? null,
      revision: facts?.isQueried ? facts.revision : null,
    };
    const ours = await this.store.finishSubmit(batches, stage, at, costs);
    if (!ours.size) return;
    // All of it may have been reported meanwhile.
    this.closing.note(ours);
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
  private async triggerOnSubmit(submitted: SubmittedBatch[]): Promise<void> {
    const ids = { sent: [] as string[], processing: [] as string[] };
    for (const { batch, rows } of submitted) {
      const awaited = planOfBatch(batch)?.triggers[batch.attempt]?.onStatus ?? [];
      const status = (['sent', 'processing'] as const).find((one) => awaited.includes(one));
      if (status) ids[status].push(...idsOf(rows));
    }
    for (const status of ['sent', 'processing'] as const)
      if (ids[status].length) await this.reports.trigger(ids[status], { kind: 'status', status });
  }

  /** Fails all messages of batches whose leases this worker still holds. Those that the carrier may have are left to their reports. */
  async failBatches(
    failed: SubmittedBatch[],
    facts: ChannelFacts | undefined,
    now: Date,
    code: SendingErrorCode,
  ): Promise<void> {
    if (!failed.length) return;
    await this.db.transaction(async () => {
      const mayHave = failed.filter(({ batch }) => batch.unknownOutcomes > 0);
      await this.finishSubmit(
        mayHave.map(({ batch }) => ({ batch, count: batch.size })),
        BATCH_STAGES.unknown,
        now,
        facts,
      );
      const others = failed.filter(({ batch }) => batch.unknownOutcomes === 0);
      if (!others.length) return;
      const dropped = await this.store.drop(
        others.map(({ batch }) => batch),
        now,
      );
      const ours = others.filter(({ batch }) => dropped.has(batch.id));
      await this.reports.apply(
        ours.flatMap(({ rows }) => rows.map(({ id }) => failure(id, code, now))),
      );
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

const rejection = ({ reference, code, carrierCode, text }: Rejected, at: Date): Report => ({
  ...carrierFailure({ carrierCode, text }),
  ...failure(reference, code, at),
});

/** Whom the refusals of the carrier want to get no more messages. */
const suppressionsIn = (results: SubmitResult[]): RecipientSuppression[] =>
  results.flatMap((one) =>
    one.result === 'rejected' && one.suppress
      ? [{ SendingId: one.reference, reason: one.suppress, note: one.text ?? null }]
      : [],
  );

const idsOf = (rows: DueRow[]) => rows.map(({ id }) => id);

/** A carrier that gives no time to wait, or seconds as milliseconds, is not asked in a loop. */
const MIN_RETRY_MS = 1000;

type Rejected = Extract<SubmitResult, { result: 'rejected' }>;

/** The messages of a batch that their carrier has not accepted; of `unknown` it said nothing. */
interface Classified {
  rejected: Rejected[];
  throttled: DueRow[];
  /** The longest wait of those, in milliseconds. */
  retryAfter: number;
  unsent: DueRow[];
  unknown: DueRow[];
}

/** Batches of which the carrier has taken nothing. */
interface Untaken {
  throttled: (SubmittedBatch & { dueAt: Date })[];
  unsent: LeasedBatch[];
  unknown: SubmittedBatch[];
}

function classify(rows: DueRow[], resultById: ReadonlyMap<string, SubmitResult>): Classified {
  const classified: Classified = {
    rejected: [],
    throttled: [],
    retryAfter: 0,
    unsent: [],
    unknown: [],
  };
  for (const row of rows) {
    const given = resultById.get(row.id);
    if (!given) classified.unknown.push(row);
    else if (given.result === 'unsent') classified.unsent.push(row);
    else if (given.result === 'rejected') classified.rejected.push(given);
    else if (given.result === 'throttled') {
      classified.throttled.push(row);
      classified.retryAfter = Math.max(classified.retryAfter, given.retryAfter);
    }
  }
  return classified;
}
