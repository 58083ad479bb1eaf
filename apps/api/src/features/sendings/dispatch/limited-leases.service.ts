import { Injectable } from '@nestjs/common';
import {
  atRate,
  BATCH_STAGES,
  findOperator,
  LimitedCall,
  UNUSED,
  type ChannelLimits,
  type ChannelUse,
  type LimitedMessage,
  type MessageLimit,
} from '@heliograph/domain';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { LimitTable, type LimitedChannel } from '../../channels/channels.service.ts';
import { operators } from '../pricing/operators.ts';
import { PRIORITIES } from '../priorities.ts';
import type { CallRequest } from './channel-run.ts';
import { DispatchStore, type LeasedBatch, type WaitingMessage } from './dispatch.store.ts';
import type { Lease } from './leases.service.ts';

/** The rate of the channel precedes the limits of its messages in a call. */
const CHANNEL = 0;

/** What a transaction has found; `isMarked`: it has marked batches, and there may be more to lease. */
interface Taken extends Lease {
  isMarked: boolean;
}

/** Batches that wait, in order; whether some of them were marked only now. */
interface Waiting {
  batches: LeasedBatch[];
  isMarked: boolean;
}

/**
 * Leases what a channel may submit whose senders or destinations have limits of their own. Batches are marked with the limits against which their
 * messages count when they are looked at first, and split if these differ; what waits for a limit has queues of its own, so it holds up
 * nothing else. What is used is written in the transaction of the lease, under the lock of the channel's use.
 */
@Injectable()
export class LimitedLeasesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly store: DispatchStore,
  ) {}

  async lease(channel: LimitedChannel, request: CallRequest): Promise<Lease> {
    const table = new LimitTable(channel.name, channel.limits);
    const { isMarked, ...lease } = await this.db.transaction(() =>
      this.take(channel, table, request),
    );
    // What is marked is committed before more is looked at: no other worker waits for long, and the limits may be others by then.
    return lease.batches.length || !isMarked ? lease : { batches: [], isUnfinished: true };
  }

  private async take(
    channel: LimitedChannel,
    table: LimitTable,
    request: CallRequest,
  ): Promise<Taken> {
    const { name } = channel;
    const now = this.clock.now();
    const stored = await this.store.lockUse(name);
    const use = atRate(channel, stored, now);
    if (use !== stored) await this.store.setUse(name, use);
    const { isProbe, uses: storedUses } = await this.store.limitUses(name, now);
    const uses = await this.atRates(name, table, storedUses, now);
    // A channel that is down is asked with one message: what is offered to it counts, and goes again.
    const messages = isProbe ? 1 : request.messages;
    const limits = [channel, ...table.limits.map(limitsOf)];
    const call = new LimitedCall(
      limits,
      [use, ...table.keys.map((key) => uses.get(key) ?? UNUSED)],
      now,
    );
    for (;;) {
      const closed = call.closed();
      const waiting = await this.waiting(name, table, {
        ...request,
        messages,
        // A test of the channel is never held back, and counts.
        priority: closed.includes(CHANNEL) ? PRIORITIES.test : request.priority,
        now,
        after: use.served,
        isProbe,
        table: table.version,
        closed: closed.filter((i) => i !== CHANNEL).map((i) => i - 1),
      });
      const { isMarked } = waiting;
      const taken = await this.choose(waiting.batches, table, call, messages);
      if (taken.length) {
        const until = secondsAfter(now, this.config.LEASE_SECONDS);
        const batches = await this.store.leaseLocked(name, taken, until, isProbe);
        const { taskId, OwnerId } = taken.at(-1)!;
        const served = taskId ? OwnerId : use.served;
        await this.store.setUse(name, { ...call.used(CHANNEL), served });
        const used = table.keys.map((key, i) => ({ key, ...call.used(i + 1) }));
        const isUsed = ({ key, fullAt, day, used: n }: (typeof used)[number]) => {
          const before = uses.get(key) ?? UNUSED;
          return fullAt !== before.fullAt || day !== before.day || n !== before.used;
        };
        await this.store.setLimitUses(name, used.filter(isUsed));
        return { batches, isMarked };
      }
      if (waiting.batches.length && !isMarked) continue;
      const isHeld =
        closed.length > 0 && !isMarked && (await this.store.dueChannels(now, [name])).length > 0;
      return { batches: [], isMarked, waitMs: isHeld ? call.waitMs() : undefined };
    }
  }

  /** What is used of the limits, kept where their rates are others than before. */
  private async atRates(
    channel: string,
    table: LimitTable,
    stored: ReadonlyMap<string, ChannelUse>,
    now: Date,
  ): Promise<ReadonlyMap<string, ChannelUse>> {
    const changed = table.limits.flatMap((limit, i) => {
      const key = table.keys[i]!;
      const before = stored.get(key) ?? UNUSED;
      const use = atRate(limitsOf(limit), before, now);
      return use === before ? [] : [{ key, ...use }];
    });
    await this.store.setLimitUses(channel, changed);
    return new Map([...stored, ...changed.map(({ key, ...use }) => [key, use] as const)]);
  }

  /** Batches in order, each with messages of the same limits. */
  private async waiting(
    channel: string,
    table: LimitTable,
    request: Parameters<DispatchStore['lockWaiting']>[1],
  ): Promise<Waiting> {
    const found = await this.store.lockWaiting(channel, request);
    const isTest = found[0]?.priority === PRIORITIES.test;
    const unknown = found.filter(({ limits }) => !table.limitsOf(limits));
    if (!unknown.length) return { batches: found, isMarked: false };
    const messages = Map.groupBy(await this.store.messagesOf(unknown), ({ batchId }) => batchId);
    const batches: LeasedBatch[] = [];
    const marked: LeasedBatch[] = [];
    for (const batch of found) {
      if (table.limitsOf(batch.limits)) {
        batches.push(batch);
        continue;
      }
      const [kept, ...others] = groupsOf(messages.get(batch.id) ?? [], table);
      const own = { ...batch, limits: kept?.[0] ?? table.mark([]) };
      for (const [limits, rows] of others) {
        const part = await this.split(batch, rows, limits);
        own.size -= part.size;
        own.segments -= part.segments;
        batches.push(part);
      }
      marked.push(own);
      batches.push(own);
    }
    await this.store.setLimits(marked);
    return { batches, isMarked: !isTest };
  }

  /** What goes in one call, of batches in order. */
  private async choose(
    batches: LeasedBatch[],
    table: LimitTable,
    call: LimitedCall,
    messages: number,
  ): Promise<LeasedBatch[]> {
    const taken: LeasedBatch[] = [];
    let room = messages;
    for (const batch of batches) {
      if (room <= 0 || (taken.length && batch.size > room)) break;
      const of = [CHANNEL, ...table.limitsOf(batch.limits)!.map((i) => i + 1)];
      const { segments, size, priority } = batch;
      const isTest = priority === PRIORITIES.test;
      const free = isTest ? segments : call.take(of, segments, size === 1);
      if (!free) continue;
      const isWhole = isTest || (free >= segments && size <= room);
      const part = isWhole ? batch : await this.firstOf(batch, of, call, Math.min(free, room));
      if (!part) continue;
      call.use(of, part.segments);
      taken.push(part);
      room -= part.size;
    }
    return taken;
  }

  /** The first messages of a batch, as many as `free` segments and messages allow, in a batch of their own; null if not even one may go. */
  private async firstOf(
    batch: LeasedBatch,
    of: number[],
    call: LimitedCall,
    free: number,
  ): Promise<LeasedBatch | null> {
    const rows = await this.store.messagesOf([batch], free);
    let segments = 0;
    const fitting = rows.filter((row) => (segments += row.segments) <= free);
    const [first] = rows;
    // Its messages have ended, which the submit finds.
    if (!first) return batch;
    if (!fitting.length && !call.take(of, first.segments, true)) return null;
    const part = fitting.length ? fitting : [first];
    return part.length === batch.size ? batch : this.split(batch, part, batch.limits);
  }

  private split(batch: LeasedBatch, rows: WaitingMessage[], limits: string): Promise<LeasedBatch> {
    return this.store.split(
      batch,
      rows.map(({ id }) => id),
      {
        stage: BATCH_STAGES.pending,
        tries: batch.tries,
        dueAt: batch.dueAt,
        postponedFrom: batch.postponedFrom ?? undefined,
        limits,
      },
    );
  }
}

/** A limit of messages does not warm up. */
const limitsOf = (limit: MessageLimit): ChannelLimits => ({ ...limit, warmUp: null });

/** Messages by the limits against which they count, most of them first. */
const groupsOf = (rows: WaitingMessage[], table: LimitTable): [string, WaitingMessage[]][] =>
  [...Map.groupBy(rows, (row) => table.markOf(limitedMessage(row)))].toSorted(
    (a, b) => b[1].length - a[1].length,
  );

function limitedMessage({ sender, phone }: WaitingMessage): LimitedMessage {
  const operator = phone.startsWith('+') ? findOperator(operators(), phone) : null;
  return { sender, country: operator?.country ?? null, mccmnc: operator?.mccmnc ?? null };
}
