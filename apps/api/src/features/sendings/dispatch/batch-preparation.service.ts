import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  DEFAULT_GROUP,
  respectsOptOut,
  typeOf,
  type RulesRefusal,
} from '@heliograph/domain';
import type { ChannelFacts, OutgoingMessage } from '../../../channels/channel.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { UnsubscribeLinksService } from '../../suppressions/unsubscribe-links.service.ts';
import { PRIORITIES } from '../priorities.ts';
import { QuietService } from '../quiet.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { SealedTexts } from '../sealed-texts.service.ts';
import { StatusEvents } from '../status-events.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { messagesOf } from './outgoing.ts';
import { SubmitResultsService } from './submit-results.service.ts';

/** The part of a lease that must be left after a driver's timeout, for recording the results. */
const LEASE_MARGIN = 0.25;

interface Prepared {
  rows: DueRow[];
  messages: OutgoingMessage[];
  signal: AbortSignal;
}

/** Decides which messages of a leased batch its driver is given now. The others fail, or wait in batches of their own. */
@Injectable()
export class BatchPreparationService {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
    private readonly store: DispatchStore,
    private readonly results: SubmitResultsService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
    private readonly links: UnsubscribeLinksService,
    private readonly sealed: SealedTexts,
    private readonly quiet: QuietService,
    private readonly statusEvents: StatusEvents,
  ) {}

  /** What is given to the driver, and how long it may take. Null when nothing of the batch is to be submitted now. */
  async prepare(
    batch: LeasedBatch,
    facts: ChannelFacts | undefined,
    refusal: RulesRefusal | null,
    { started, now }: { started: number; now: Date },
  ): Promise<Prepared | null> {
    if (!facts || refusal) {
      const rows = await this.store.rows(batch);
      await this.results.failBatch(batch, facts, rows, now, refusal ?? 'channel_down');
      return null;
    }
    if (await this.results.endResends(batch, facts, now)) return null;
    if (batch.attempt > 0) {
      const superseded = await this.store.findSuperseded(batch);
      const codes = new Map(superseded.map((id) => [id, 'superseded'] as const));
      if (!(await this.results.failSome(batch, facts, codes, now))) return null;
    }
    const all = await this.splitToMax(batch, facts.maxBatch, now);
    const due = await this.failDenied(batch, facts, all, now);
    const rows = due && (await this.postponeQuiet(batch, due, now));
    if (!rows) return null;
    // After a pause of the process the lease may be about to expire, and another worker may submit the batch. A worker that
    // shuts down submits nothing more.
    const timeout = this.config.LEASE_SECONDS * 1000 * (1 - LEASE_MARGIN);
    if (Date.now() - started > timeout || this.shutdown.isStopping) {
      await this.store.release(batch, now, now);
      return null;
    }
    const signal = AbortSignal.timeout(timeout);
    const outgoing = messagesOf(batch, rows, await this.links.link());
    const messages = await this.sealed.reveal(batch, outgoing);
    if (!messages) {
      await this.results.failBatch(batch, facts, rows, now, 'expired');
      return null;
    }
    // Once: not again when the carrier is asked later.
    if (batch.tries === 0) await this.statusEvents.submitting(rows);
    return { rows, messages, signal };
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
          { stage: BATCH_STAGES.pending, tries: batch.tries, dueAt: now },
        );
      return rows.slice(0, max);
    });
  }

  /**
   * Fails messages to people who have opted out, and singles whose account may no longer send them, and returns the others. A batch may
   * hold singles of several accounts.
   */
  private async failDenied(
    batch: LeasedBatch,
    facts: ChannelFacts,
    rows: DueRow[],
    now: Date,
  ): Promise<DueRow[] | null> {
    if (batch.priority === PRIORITIES.test) return rows;
    const refused = new Map<string, RulesRefusal | 'unsubscribed'>(
      batch.taskId ? [] : await this.rules.refusedRows(rows, typeOf(batch.type)),
    );
    for (const { id } of rows.filter((row) => isUnsubscribed(batch, row)))
      refused.set(id, 'unsubscribed');
    const isOurs = await this.results.failSome(batch, facts, refused, now);
    return isOurs ? rows.filter(({ id }) => !refused.has(id)) : null;
  }

  /**
   * Messages that would arrive in the quiet hours of their recipient wait in batches of their own, one for each end. Most were given
   * their time when they were written; this finds those that a pause, a fallback or the carrier has delayed. Null when all wait.
   */
  private async postponeQuiet(
    batch: LeasedBatch,
    rows: DueRow[],
    now: Date,
  ): Promise<DueRow[] | null> {
    if (batch.priority === PRIORITIES.test || !rows.length) return rows;
    const waits = await this.waits(batch, rows, now);
    if (!waits.size) return rows;
    const waiting = [...Map.groupBy(waits.keys(), (row) => waits.get(row)!.getTime())];
    const sent = rows.filter((row) => !waits.has(row));
    const kept = sent.length ? undefined : waiting.shift();
    return this.db.transaction(async () => {
      if (!(await this.store.lockLeased(batch))) return null;
      for (const [dueAt, group] of waiting)
        await this.store.split(
          batch,
          group.map(({ id }) => id),
          {
            stage: BATCH_STAGES.pending,
            tries: batch.tries,
            dueAt: new Date(dueAt),
            postponedFrom: now,
          },
        );
      if (kept) await this.store.release(batch, new Date(kept[0]), now, { postponedFrom: now });
      return kept ? null : sent;
    });
  }

  /** The time to which each message is postponed. */
  private async waits(
    batch: LeasedBatch,
    rows: DueRow[],
    now: Date,
  ): Promise<ReadonlyMap<DueRow, Date>> {
    const waits = new Map<DueRow, Date>();
    const kind = { type: typeOf(batch.type), isBulk: batch.taskId !== null };
    for (const [OwnerId, own] of Map.groupBy(rows, (row) => row.OwnerId)) {
      const waitOf = await this.quiet.of(OwnerId, kind);
      if (!waitOf) continue;
      for (const row of own) {
        const group = row.data?.group ?? DEFAULT_GROUP;
        const until = row.data?.isExempt ? null : waitOf({ address: row.phone, group }, now);
        if (until) waits.set(row, until);
      }
    }
    return waits;
  }
}

function isUnsubscribed({ type, taskId }: LeasedBatch, row: DueRow): boolean {
  if (!row.isUnsubscribed || row.data?.isExempt) return false;
  const group = row.data?.group ?? DEFAULT_GROUP;
  return respectsOptOut(typeOf(type), { group, isBulk: taskId !== null });
}
