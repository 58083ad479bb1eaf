import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, formatMoney, typeCode, typeOf, type SendingType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { chargesSql, type Charged } from '../billings/charges.service.ts';
import type { StoredSending } from './plan.ts';
import { priceLiteral, type Quote } from './pricing/quote.ts';
import { URGENCIES, type Priority, type Urgency } from './priorities.ts';
import type { Routing } from './routing.ts';
import { StatusEvents } from './status-events.ts';
import { unnestRows } from './unnest.ts';

/** Sendings that wait together: one channel, one type, one due time. */
export interface NewBatch {
  taskId: string | null;
  OwnerId: string;
  routing: Routing;
  type: SendingType;
  attempt: number;
  priority: Priority;
  /** Of singles; absent: normal. */
  urgency?: Urgency;
  dueAt: Date;
  /** When it would be due without the quiet hours for whose end it waits. */
  postponedFrom?: Date;
  /** When it is due once the look-ups have ended for which it waits. */
  dueAfterLookups?: Date;
  /** When they are not given to the carrier any more; null: without a limit. */
  validUntil: Date | null;
  /** Of a single with fallbacks. */
  plan?: StoredSending;
  /** Refused sendings: stored so that they can be read, never submitted. */
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
  vars: Record<string, string | null> | null;
  data: object | null;
  /** The API token that the charge counts for. */
  tokenId: string | null;
}

export interface Inserted extends Charged {
  type: number;
}

/** A literal of names, which need no quotes. */
export const textArray = (names: readonly string[]): string => `{${names.join(',')}}`;

/** Columns of a charge; all but the token are not stored on the sending. */
const CHARGE_COLUMNS = [
  'price',
  'multiplier',
  'tariff_id',
  'tariff_version',
  'volume_step',
  'token_id',
  'package_id',
];

/** A batch stores its first and last id, by which its rows are found. */
function sortedById(batch: NewBatch): NewBatch {
  return { ...batch, rows: batch.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Creates sendings with their batches and ledger entries. The caller subtracts the charges last (`ChargesService.charge`). */
@Injectable()
export class InsertStore {
  constructor(
    private readonly db: Db,
    private readonly metrics: Metrics,
    private readonly statusEvents: StatusEvents,
  ) {}

  /**
   * Returns the rows that were created: an address that its group already has, or a successor that exists, is skipped. With
   * `isUnique` the statement has no conflict clause, which saves a third of its time; a duplicate then throws 23505.
   */
  async insert(batches: NewBatch[], now: Date, isUnique = false): Promise<Inserted[]> {
    const sorted = batches.filter((b) => b.rows.length > 0).map(sortedById);
    if (!sorted.length) return [];
    const ids = await this.insertBatches(sorted, now);
    const rows = sorted.flatMap((batch, i) =>
      batch.rows.map((row) => ({ ...row, batch, batchId: ids[i] })),
    );
    const source = unnestRows(rows, {
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
      tariff_version: ['integer', (r) => r.quote.tariffVersion],
      volume_step: ['smallint', (r) => r.quote.volume?.number ?? null],
      token_id: ['uuid', (r) => r.tokenId],
      package_id: ['uuid', (r) => r.quote.packageId ?? null],
      mccmnc: ['text', (r) => r.quote.mccmnc ?? ''],
    });
    const columns = Object.keys(source.expressions).filter(
      (name) => name === 'token_id' || !CHARGE_COLUMNS.includes(name),
    );
    const expressions = CHARGE_COLUMNS.map((name) => source.expressions[name]!);
    const [price, multiplier, tariffId, tariffVersion, volumeStep, tokenId, packageId] =
      expressions;
    const isSamePrice = !expressions.some((expression) => expression.startsWith('u.'));
    const charges = chargesSql({
      created: 'created',
      join: isSamePrice ? '' : `join ${source.from} on u.id = s.id`,
      price: price!,
      multiplier: multiplier!,
      tariffId: tariffId!,
      tariffVersion: tariffVersion!,
      volumeStep: volumeStep!,
      tokenId: tokenId!,
      packageId: packageId!,
    });
    const inserted = await this.db.query<Inserted>(
      `with created as (
         insert into sendings (${columns.join(', ')}) select ${source.select(columns)} from ${source.from}
         ${isUnique ? '' : 'on conflict do nothing'}
         returning id, owner_id, type, amount
       ), charged as (${charges})
       select id, owner_id as "OwnerId", type, amount from created`,
      source.parameters,
    );
    const created = withUses(inserted, rows);
    this.count(created);
    const dropped = new Set(
      sorted.filter((b) => b.isDropped).flatMap((b) => b.rows.map(({ id }) => id)),
    );
    await this.statusEvents.created(created.filter(({ id }) => !dropped.has(id)));
    return created;
  }

  private count(created: Inserted[]): void {
    const byType = new Map<number, number>();
    for (const { type } of created) byType.set(type, (byType.get(type) ?? 0) + 1);
    for (const [type, count] of byType) this.metrics.messages(typeOf(type), 'pending', count);
    if (created.length) this.metrics.batch('created', created.length);
  }

  private async insertBatches(batches: NewBatch[], now: Date): Promise<string[]> {
    const source = unnestRows(
      batches.map((batch, position) => ({ ...batch, position })),
      {
        position: ['integer', (b) => b.position],
        task_id: ['uuid', (b) => b.taskId],
        owner_id: ['uuid', (b) => b.OwnerId],
        channel: ['text', (b) => b.routing.channel],
        route_id: ['uuid', (b) => b.routing.routeId],
        route_channels: [
          'text',
          (b) => b.routing.routeChannels && textArray(b.routing.routeChannels),
        ],
        route_version: ['integer', (b) => b.routing.routeVersion],
        type: ['smallint', (b) => typeCode(b.type)],
        attempt: ['smallint', (b) => b.attempt],
        priority: ['smallint', (b) => b.priority],
        urgency: ['smallint', (b) => b.urgency ?? URGENCIES.normal],
        size: ['integer', (b) => b.rows.length],
        segments: ['integer', (b) => b.rows.reduce((sum, { quote }) => sum + quote.segments, 0)],
        first_id: ['uuid', (b) => b.rows[0]!.id],
        last_id: ['uuid', (b) => b.rows.at(-1)!.id],
        due_at: ['timestamptz', (b) => b.dueAt],
        postponed_from: ['timestamptz', (b) => b.postponedFrom ?? null],
        valid_until: ['timestamptz', (b) => b.validUntil],
        created_at: ['timestamptz', () => now],
        plan: ['jsonb', (b) => b.plan && JSON.stringify(b.plan)],
        stage: ['smallint', (b) => (b.isDropped ? BATCH_STAGES.dropped : BATCH_STAGES.pending)],
        closed_at: ['timestamptz', (b) => (b.isDropped ? now : null)],
      },
    );
    source.expressions.route_channels += '::text[]';
    const columns = Object.keys(source.expressions).filter((name) => name !== 'position');
    const rows = await this.db.query<{ id: string; first_id: string }>(
      `insert into batches (${columns.join(', ')}, updated_at)
       select ${source.select(columns)}, (select change_time()) from ${source.from} order by u.position returning id, first_id`,
      source.parameters,
    );
    const idByFirst = new Map(rows.map((r) => [r.first_id, r.id]));
    return batches.map((b) => idByFirst.get(b.rows[0]!.id)!);
  }
}

/** With what packages cover of the messages, by what volumes they are priced, and which are charged by their length. */
function withUses(created: Inserted[], rows: NewSending[]): Inserted[] {
  const uses = new Map(
    rows.flatMap(({ id, quote: { packageId, multiplier, volume, byLength } }) => {
      const covered = packageId ? { id: packageId, units: multiplier } : undefined;
      return covered || volume || byLength ? [[id, { covered, volume, byLength }] as const] : [];
    }),
  );
  if (!uses.size) return created;
  return created.map((one) => ({ ...one, ...uses.get(one.id) }));
}
