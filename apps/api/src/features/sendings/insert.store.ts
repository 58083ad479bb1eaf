import { Injectable } from '@nestjs/common';
import {
  formatMoney,
  parseMoney,
  typeCode,
  typeOf,
  type Money,
  type SendingType,
} from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { columns } from './columns.ts';
import type { StoredSending } from './plan.ts';
import { priceLiteral, type Quote } from './pricing/quote.ts';

/** Of a message that tests a channel: it goes though the channel is switched off. */
export const TEST_PRIORITY = -1;

/** What one handover takes together: one channel, one type, one moment. */
export interface NewBatch {
  taskId: string | null;
  OwnerId: string | null;
  channel: string;
  type: SendingType;
  attempt: number;
  /** 1: bulk; 0: singles, ahead of it; `TEST_PRIORITY` ahead of both. */
  priority: -1 | 0 | 1;
  dueAt: Date;
  /** Of a single with fallbacks. */
  plan?: StoredSending;
  /** Refused at once: kept to be seen, never handed over. */
  isDropped?: boolean;
  rows: NewSending[];
}

export interface NewSending {
  id: string;
  OwnerId: string;
  groupId: string | null;
  chainId: string | null;
  isLast: boolean;
  sender: string;
  phone: string;
  quote: Quote;
  vars: object | null;
  data: object | null;
}

export interface Inserted {
  id: string;
  OwnerId: string;
  type: number;
  amount: string;
}

/** A charge that the balance does not cover: the database's own word. */
export const isUncovered = (error: unknown): boolean => violated(error) === 'balance_covers';

/** A batch is found again by its first and last id. */
function inOrder(batch: NewBatch): NewBatch {
  return { ...batch, rows: batch.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Creates sendings with their batches and their entries in the ledger. The balance is the caller's, last. */
@Injectable()
export class InsertStore {
  constructor(
    private readonly db: Db,
    private readonly metrics: Metrics,
    private readonly events: Events,
  ) {}

  /**
   * Rows that were really created: a phone that its group has already, or a successor that exists, is passed over. Who
   * knows that there is none says so and saves a third of the time; a repeat then throws 23505.
   */
  async insert(batches: NewBatch[], now: Date, isUnique = false): Promise<Inserted[]> {
    const full = batches.filter((b) => b.rows.length > 0).map(inOrder);
    if (!full.length) return [];
    const ids = await this.insertBatches(full, now);
    const rows = full.flatMap((batch, i) =>
      batch.rows.map((row) => ({ ...row, batch, batchId: ids[i] })),
    );
    const c = columns(rows, {
      id: ['uuid', (r) => r.id],
      owner_id: ['uuid', (r) => r.OwnerId],
      group_id: ['uuid', (r) => r.groupId],
      chain_id: ['uuid', (r) => r.chainId],
      batch_id: ['bigint', (r) => r.batchId],
      type: ['smallint', (r) => typeCode(r.batch.type)],
      attempt: ['smallint', (r) => r.batch.attempt],
      is_last: ['boolean', (r) => r.isLast],
      segments: ['smallint', (r) => r.quote.segments],
      amount: ['numeric', (r) => formatMoney(r.quote.amount ?? 0n)],
      sender: ['text', (r) => r.sender],
      phone: ['text', (r) => r.phone],
      body: ['text', (r) => r.quote.text || null],
      vars: ['jsonb', (r) => r.vars && JSON.stringify(r.vars)],
      data: ['jsonb', (r) => r.data && JSON.stringify(r.data)],
      price: ['text', (r) => priceLiteral(r.quote.price)],
      multiplier: ['integer', (r) => r.quote.multiplier],
      tariff_id: ['uuid', (r) => r.quote.tariffId],
    });
    const names = Object.keys(c.expressions);
    const stored = names.slice(0, -3);
    const { price, multiplier, tariff_id } = c.expressions;
    const isOnePrice = ![price, multiplier, tariff_id].some((e) => e!.startsWith('u.'));
    return this.db.query<Inserted>(
      `with created as (
         insert into sendings (${stored.join(', ')}) select ${c.select(stored)} from ${c.from}
         ${isUnique ? '' : 'on conflict do nothing'}
         returning id, owner_id, type, amount
       ), charged as (
         insert into billings (id, owner_id, source, amount, price, multiplier, tariff_id)
         select s.id, s.owner_id, s.type, -s.amount, ${price}::numeric[], ${multiplier}, ${tariff_id}
           from created s ${isOnePrice ? '' : `join ${c.from} on u.id = s.id`}
          where s.amount > 0 or (cardinality(${price}::numeric[]) > 0 and s.owner_id <> '${SYSTEM_OWNER}')
       )
       select id, owner_id as "OwnerId", type, amount from created`,
      c.parameters,
    );
  }

  /**
   * What each owner can spend now. Somebody else may take it before our charge; where that happened (`isUncovered`) the work is
   * done again behind the locks of the balances, taken in the order of owners.
   */
  async available(owners: string[], isLocked: boolean): Promise<Map<string, Money>> {
    const rows = await this.db.query<{ id: string; available: string }>(
      `select owner_id as id, (balance + overdraft)::text as available from balances
        where owner_id = any($1) ${isLocked ? 'order by owner_id for update' : ''}`,
      [[...new Set(owners)]],
    );
    return new Map(rows.map((r) => [r.id, parseMoney(r.available)]));
  }

  /** Takes what was created from the balances, the last locks of a transaction, by owner, and tells. Throws 23514 when one does not cover it. */
  async charge(created: Inserted[]): Promise<void> {
    this.count(created);
    const owed = new Map<string, { sum: Money; entries: number }>();
    for (const { OwnerId, amount } of created) {
      const { sum, entries } = owed.get(OwnerId) ?? { sum: 0n, entries: 0 };
      const money = parseMoney(amount);
      if (money > 0n) owed.set(OwnerId, { sum: sum + money, entries: entries + 1 });
    }
    const sums = [...owed].sort(([a], [b]) => (a < b ? -1 : 1));
    if (!sums.length) return;
    const owners = sums.map(([OwnerId]) => OwnerId);
    if (owners.length > 1) await this.available(owners, true);
    await this.db.query(
      `update balances b set balance = b.balance - d.amount from unnest($1::uuid[], $2::numeric[]) as d(owner_id, amount)
        where b.owner_id = d.owner_id`,
      [owners, sums.map(([, { sum }]) => formatMoney(sum))],
    );
    for (const [OwnerId, { entries }] of sums)
      this.events.counted('billings', 'created', OwnerId, null, entries);
  }

  private count(created: Inserted[]): void {
    const types = new Map<number, number>();
    for (const { type } of created) types.set(type, (types.get(type) ?? 0) + 1);
    for (const [type, n] of types) this.metrics.messages(typeOf(type), 'pending', n);
    this.metrics.entries('charge', created.filter((c) => parseMoney(c.amount) > 0n).length);
    if (created.length) this.metrics.batch('created', created.length);
  }

  private async insertBatches(batches: NewBatch[], now: Date): Promise<string[]> {
    const c = columns(
      batches.map((b, n) => ({ ...b, n })),
      {
        n: ['integer', (b) => b.n],
        task_id: ['uuid', (b) => b.taskId],
        owner_id: ['uuid', (b) => b.OwnerId],
        channel: ['text', (b) => b.channel],
        type: ['smallint', (b) => typeCode(b.type)],
        attempt: ['smallint', (b) => b.attempt],
        priority: ['smallint', (b) => b.priority],
        size: ['integer', (b) => b.rows.length],
        first_id: ['uuid', (b) => b.rows[0]!.id],
        last_id: ['uuid', (b) => b.rows.at(-1)!.id],
        due_at: ['timestamptz', (b) => b.dueAt],
        now: ['timestamptz', () => now],
        plan: ['jsonb', (b) => b.plan && JSON.stringify(b.plan)],
        stage: ['smallint', (b) => (b.isDropped ? 5 : 0)],
        closed_at: ['timestamptz', (b) => (b.isDropped ? now : null)],
      },
    );
    const wanted = [
      'task_id',
      'owner_id',
      'channel',
      'type',
      'attempt',
      'priority',
      'size',
      'first_id',
      'last_id',
      'due_at',
      'now',
      'now',
      'plan',
      'stage',
      'closed_at',
    ];
    const rows = await this.db.query<{ id: string; first_id: string }>(
      `insert into batches (task_id, owner_id, channel, type, attempt, priority, size, first_id, last_id, due_at, created_at, updated_at, plan, stage, closed_at)
       select ${c.select(wanted)} from ${c.from} order by u.n returning id, first_id`,
      c.parameters,
    );
    const byFirst = new Map(rows.map((r) => [r.first_id, r.id]));
    return batches.map((b) => byFirst.get(b.rows[0]!.id)!);
  }
}
