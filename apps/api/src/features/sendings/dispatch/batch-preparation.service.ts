import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  DEFAULT_GROUP,
  partsOf,
  respectsOptOut,
  typeOf,
  type RulesRefusal,
} from '@heliograph/domain';
import type { ChannelFacts, OutgoingMessage } from '../../../channels/channel.ts';
import { Db } from '../../../core/db/db.ts';
import { UnsubscribeLinksService } from '../../suppressions/unsubscribe-links.service.ts';
import { OpenImagesService } from '../opens/open-images.service.ts';
import { PRIORITIES } from '../priorities.ts';
import { QuietService } from '../quiet.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { isMarkdown } from './formatted.ts';
import { messagesOf } from './outgoing.ts';
import { SubmitResultsService } from './submit-results.service.ts';

/** A batch that is being submitted, with what is known of it. */
interface StartedBatch {
  batch: LeasedBatch;
  rows: DueRow[];
  /** Why it is not sent any more. */
  refusal: RulesRefusal | 'expired' | null;
  /** Messages, of all batches of the call, whose former attempt was delivered after all. */
  superseded: ReadonlySet<string>;
}

/** A batch with what its driver is given of it. */
export interface PreparedBatch {
  batch: LeasedBatch;
  rows: DueRow[];
  messages: OutgoingMessage[];
  /** Addresses of the images that tell when e-mails are opened, by message. */
  images: ReadonlyMap<string, string>;
}

/** Decides which messages of a leased batch its driver is given now. The others fail, or wait in batches of their own. */
@Injectable()
export class BatchPreparationService {
  constructor(
    private readonly db: Db,
    private readonly store: DispatchStore,
    private readonly results: SubmitResultsService,
    private readonly rules: AccountRulesService,
    private readonly links: UnsubscribeLinksService,
    private readonly quiet: QuietService,
    private readonly images: OpenImagesService,
  ) {}

  /** What is given to the driver; null when nothing of the batch is to be submitted now. */
  async prepare(
    { batch, rows: unsent, refusal, superseded }: StartedBatch,
    facts: ChannelFacts | undefined,
    now: Date,
  ): Promise<PreparedBatch | null> {
    if (!facts || refusal) {
      await this.results.failBatches(
        [{ batch, rows: unsent }],
        facts,
        now,
        refusal ?? 'channel_down',
      );
      return null;
    }
    if (await this.results.endResends(batch, facts, now)) return null;
    const current = await this.failSuperseded(batch, facts, unsent, superseded, now);
    const all = current && (await this.splitToMax(batch, current, facts, now));
    const due = all && (await this.failDenied(batch, facts, all, now));
    const rows = due && (await this.postponeQuiet(batch, due, now));
    if (!rows) return null;
    const messages = messagesOf(batch, rows, await this.links.link(), now);
    const hasHtml = messages.some(({ payload }) => isMarkdown(payload));
    const images = hasHtml ? await this.images.of(rows) : new Map<string, string>();
    return { batch, rows, messages, images };
  }

  /** Fails fallbacks whose former attempt was delivered after all, and returns the others. */
  private async failSuperseded(
    batch: LeasedBatch,
    facts: ChannelFacts,
    rows: DueRow[],
    superseded: ReadonlySet<string>,
    now: Date,
  ): Promise<DueRow[] | null> {
    const own = rows.filter(({ id }) => superseded.has(id));
    const codes = new Map(own.map(({ id }) => [id, 'superseded'] as const));
    const isOurs = await this.results.failSome(batch, facts, codes, now);
    return isOurs ? rows.filter(({ id }) => !superseded.has(id)) : null;
  }

  /** The first messages of a batch, as many as its channel takes in one call. The rest is split into new batches. */
  private async splitToMax(
    batch: LeasedBatch,
    rows: DueRow[],
    { maxBatch, maxSegments = Infinity }: ChannelFacts,
    now: Date,
  ): Promise<DueRow[] | null> {
    const max = { messages: maxBatch, segments: maxSegments };
    const [first = rows, ...rest] = partsOf(rows, max, ({ segments }) => segments);
    if (!rest.length) return rows;
    return this.db.transaction(async () => {
      if (!(await this.store.lockLeased(batch))) return null;
      for (const part of rest)
        await this.store.split(
          batch,
          part.map(({ id }) => id),
          { stage: BATCH_STAGES.pending, tries: batch.tries, dueAt: now },
        );
      return first;
    });
  }

  /**
   * Fails messages to people who have opted out or are blacklisted, and singles whose account may no longer send them, and returns the others. A batch may
   * hold singles of several accounts.
   */
  private async failDenied(
    batch: LeasedBatch,
    facts: ChannelFacts,
    rows: DueRow[],
    now: Date,
  ): Promise<DueRow[] | null> {
    if (batch.priority === PRIORITIES.test) return rows;
    const refused = new Map<string, RulesRefusal | 'unsubscribed' | 'blacklisted'>(
      batch.taskId ? [] : await this.rules.refusedRows(rows, typeOf(batch.type)),
    );
    for (const { id } of await this.blacklistedMeanwhile(batch, rows))
      refused.set(id, 'blacklisted');
    for (const { id } of rows.filter((row) => isUnsubscribed(batch, row)))
      refused.set(id, 'unsubscribed');
    const isOurs = await this.results.failSome(batch, facts, refused, now);
    return isOurs ? rows.filter(({ id }) => !refused.has(id)) : null;
  }

  /** Singles that were to be sent later, to people whom their account has blacklisted since then. */
  private async blacklistedMeanwhile(batch: LeasedBatch, rows: DueRow[]): Promise<DueRow[]> {
    if (batch.taskId || batch.dueAt <= batch.createdAt) return [];
    const isBlacklisted = await this.rules.areBlacklisted(
      rows.map(({ OwnerId, phone }) => ({ OwnerId, address: phone })),
    );
    return rows.filter((_, i) => isBlacklisted[i]);
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
      if (kept) await this.store.release([batch], new Date(kept[0]), now, { postponedFrom: now });
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
  const isBulk = taskId !== null || row.data?.respectsOptOut === true;
  return respectsOptOut(typeOf(type), { group, isBulk });
}
