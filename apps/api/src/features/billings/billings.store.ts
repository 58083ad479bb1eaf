import { Injectable } from '@nestjs/common';
import {
  MAX_TOTALLED,
  type BillingOrigin,
  type billings,
  type BillingsWhere,
  type BillingTotals,
  type Page,
  type Range,
} from '@heliograph/contract';
import type * as z from 'zod';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { alongIds } from '../../core/db/along-ids.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  findIds,
  findIdsInOrder,
  idTime,
  inOrder,
  type Bind,
  type Fragment,
  type ListSql,
} from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidFloor } from '../../core/uuid.ts';
import {
  BILLING_STATUS_CODES,
  BILLING_STATUS_NAMES,
  MANUAL_SOURCES,
  ORIGIN_CODES,
  sourceCode,
  type BillingStatus,
  type Source,
} from './billing.codes.ts';
import { Billing } from './billing.entity.ts';

type Query = In<typeof billings.find>['query'];
type TotalsQuery = In<typeof billings.totals>['query'];

export type BillingsReport = BillingsWhere & { createdAt: Range };

const source: Fragment<Source[]> = (values, bind) =>
  equals('b.source')(values.map(sourceCode), bind);
const status: Fragment<BillingStatus[]> = (values, bind) =>
  equals('b.status')(
    values.map((name) => BILLING_STATUS_CODES[name]),
    bind,
  );

export interface Refunded {
  OwnerId: string;
  /** Positive; the text of a numeric. */
  amount: string;
  /** The ids of the refunded entries. */
  entries: string[];
}

export interface EntryOfOrigin {
  id: string;
  OwnerId: string;
  /** Positive adds, negative takes. */
  amount: Money;
  origin: BillingOrigin;
  comment?: string | null;
  createdBy?: string;
}

export interface ReferralOfEntry {
  username: string;
  paid: number;
  isReturn: boolean;
}

export interface LockedBalance {
  balance: Money;
  overdraft: Money;
  /** Credited when the account was opened. */
  freeCredit: Money;
}

/** A user with a day, whose end is excluded. */
export interface DayOf {
  userId: string;
  OwnerId: string;
  start: Date;
  end: Date;
}
export interface DaySum {
  userId: string;
  OwnerId: string;
  balance: string;
  spent: string;
  /** Null for the default. */
  currency: string | null;
}

@Injectable()
export class BillingsStore extends Store<Billing, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'b.id', amount: 'b.amount' },
    cursor: 'b.id',
    filter: {
      status,
      source,
      id: equals('b.id'),
      OwnerId: equals('b.owner_id'),
      TariffId: equals('b.tariff_id'),
    },
    range: { createdAt: idTime('b.id') },
  };

  constructor(db: Db) {
    super(db, Billing, 'b');
  }

  override async find(scope: AccessScope, query: Query): Promise<Page<Billing>> {
    const { page, ...numbers } =
      query.order[0]!.field === 'createdAt'
        ? await findIds(this.db, query, (bind, take) =>
            this.alongIds(scope, query, bind, take, 'b.id'),
          )
        : await findIdsInOrder(this.db, query, {
            matching: (bind, take) =>
              this.alongIds(scope, query, bind, take, 'b.id, b.amount as value'),
            first: (bind, take) => this.alongAmounts(scope, query, bind, take),
          });
    return { data: inOrder(page, await this.byIds(scope, page)), ...numbers };
  }

  /** Sums by currency over the newest entries that match, one more than is totalled at most: `count` tells whether there are more. */
  async totals(
    scope: AccessScope,
    query: TotalsQuery,
    currency: string,
  ): Promise<(z.infer<typeof BillingTotals> & { count: number })[]> {
    const values: unknown[] = [currency];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const limit = MAX_TOTALLED + 1;
    const newest = { ...query, order: [{ field: 'createdAt', direction: 'desc' }] } as Query;
    const columns = 'b.id, b.owner_id, b.status, b.amount';
    const valid = `b.status in (${BILLING_STATUS_CODES.pending}, ${BILLING_STATUS_CODES.complete})`;
    return this.db.queryUnprepared(
      `with newest as (select * from (${this.alongIds(scope, newest, bind, String(limit), columns)}) b order by b.id desc limit ${limit}),
            numbered as (select b.*, row_number() over (order by b.id desc) as n from newest b)
       select coalesce(u.settings #>> '{billings,currency}', $1) as currency, count(*)::int as count,
              coalesce(sum(b.amount) filter (where ${valid} and b.amount > 0 and n < ${limit}), 0)::float8 as credits,
              coalesce(-sum(b.amount) filter (where ${valid} and b.amount < 0 and n < ${limit}), 0)::float8 as charges,
              coalesce(-sum(b.amount) filter (where b.status = ${BILLING_STATUS_CODES.refunded} and n < ${limit}), 0)::float8 as refunds
         from numbered b join users u on u.id = b.owner_id group by 1 order by 2 desc, 1`,
      values,
    );
  }

  /**
   * Each status, or each source, is read along its own index and the results are merged, so that a rare one does not scan the others.
   * Nearly all entries are complete: with them the source is the rarer one.
   */
  private alongIds(
    scope: AccessScope,
    query: Query,
    bind: Bind,
    take: string,
    columns: string,
  ): string {
    const { OwnerId, source: sources, status: statuses = BILLING_STATUS_NAMES } = query.filter;
    const isReferral = query.scope.includes('referral');
    const isBySource = !isReferral && sources && statuses.includes('complete');
    const isWhole = scope.kind === 'all' && !isReferral && !Object.keys(query.filter).length;
    const parts = isWhole
      ? [null]
      : isBySource
        ? sources.map((name) => `b.source = ${sourceCode(name)}`)
        : statuses.map((name) => `b.status = ${BILLING_STATUS_CODES[name]}`);
    const where = this.whereOf(query, bind, isBySource ? 'source' : 'status');
    const { direction } = query.order[0]!;
    const along = query.filter.id || isWhole ? 'rows' : 'owners';
    const owner = { scope, OwnerId, along } as const;
    const rows = { from: 'billings b', alias: 'b', columns, parts, where, direction, take };
    return alongIds({ ...owner, ...rows }, bind);
  }

  private alongAmounts(scope: AccessScope, query: Query, bind: Bind, take: string): string {
    const { OwnerId, source: sources } = query.filter;
    const where = this.whereOf(query, bind);
    // The index begins where the sources do.
    if (sources?.every((name) => name === 'accrual')) where.push('b.amount >= 0');
    if (sources?.every((name) => name !== 'accrual' && name !== 'transfer'))
      where.push('b.amount <= 0');
    const { direction } = query.order[0]!;
    const owner = { scope, OwnerId, along: 'owners' } as const;
    const columns = 'b.id, b.amount as value';
    const rows = { from: 'billings b', alias: 'b', columns, by: 'b.amount', parts: [null], where };
    return alongIds({ ...owner, ...rows, direction, take }, bind);
  }

  /** The conditions of a list without those of its parts. */
  private whereOf(query: Query, bind: Bind, omitted?: 'source' | 'status'): string[] {
    const { OwnerId: _, ...filter } = query.filter;
    if (omitted) delete filter[omitted];
    const where = conditions(this.list, { ...query, filter }, bind);
    if (query.scope.includes('referral')) where.push(`b.origin = ${ORIGIN_CODES.referral}`);
    return where;
  }

  /** The conditions of a report on entries `b`, without those of the access scope. */
  reportConditions({ createdAt, ...filter }: BillingsReport, bind: Bind): string[] {
    const query = { filter, range: { createdAt } };
    return conditions(this.list, query as Query, bind);
  }

  /** Of entries of referral bonuses: whose payment it was a share of. By the id of the entry. */
  async referralsOf(ids: string[]): Promise<Map<string, ReferralOfEntry>> {
    const rows = await this.db.query<ReferralOfEntry & { id: string }>(
      `select b.id, u.username, n.paid::float8 as paid, t.id is not null as "isReturn"
         from billings b
         left join referral_returns t on t.id = b.origin_id
         join referral_bonuses n on n.id = coalesce(t.bonus_id, b.origin_id)
         join users u on u.id = n.referred_id
        where b.id = any($1) and b.origin = ${ORIGIN_CODES.referral}`,
      [ids],
    );
    return new Map(rows.map(({ id, ...referral }) => [id, referral]));
  }

  /** Of a user's account: for a sub-user that of the account holder. */
  async balance(
    scope: AccessScope,
    userId: string,
  ): Promise<{ balance: string; overdraft: string }> {
    const values: unknown[] = [userId];
    const predicate = scopeSql(scope, 'u.owner_id', (value) => `$${values.push(value)}`);
    const [row] = await this.db.query<{ balance: string; overdraft: string }>(
      `select coalesce(m.balance, 0)::text as balance, coalesce(m.overdraft, 0)::text as overdraft
         from users u left join balances m on m.owner_id = u.owner_id
        where u.id = $1 and ${predicate}`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }

  /** False when an account with this phone has already received it. */
  async takeFreeCredit(phone: string, OwnerId: string, amount: number): Promise<boolean> {
    const taken = await this.db.execute(
      `insert into free_credits (phone, owner_id, amount) values ($1, $2, $3) on conflict do nothing`,
      [phone, OwnerId, amount],
    );
    return taken > 0;
  }

  async isFreeCreditOfAnother(OwnerId: string, phone: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from free_credits f join free_credits other on other.phone = $2 and other.owner_id <> f.owner_id
        where f.owner_id = $1 and exists (select 1 from users u where u.id = $1 and u.is_test)`,
      [OwnerId, phone],
    );
    return found.length > 0;
  }

  async moveFreeCredit(OwnerId: string, phone: string): Promise<void> {
    await this.db.query(
      `update free_credits set phone = $2
        where owner_id = $1 and phone <> $2 and exists (select 1 from users u where u.id = $1 and u.is_test)`,
      [OwnerId, phone],
    );
  }

  async openBalance(OwnerId: string): Promise<void> {
    await this.db.query(`insert into balances (owner_id) values ($1)`, [OwnerId]);
  }

  async balanceOf(OwnerId: string): Promise<{ balance: Money; overdraft: Money }> {
    const [row] = await this.db.query<{ balance: string; overdraft: string }>(
      `select balance, overdraft from balances where owner_id = $1`,
      [OwnerId],
    );
    return {
      balance: parseMoney(row?.balance ?? '0'),
      overdraft: parseMoney(row?.overdraft ?? '0'),
    };
  }

  /**
   * Balance plus overdraft by owner, and which owners have spend caps. With `isLocked` the rows stay locked, in the order of owners,
   * until the transaction ends.
   */
  async available(
    owners: string[],
    isLocked: boolean,
  ): Promise<{ available: Map<string, Money>; capped: string[] }> {
    const rows = await this.db.query<{ id: string; available: string; hasCaps: boolean }>(
      `select owner_id as id, (balance + overdraft)::text as available, has_caps as "hasCaps" from balances
        where owner_id = any($1) ${isLocked ? 'order by owner_id for update' : ''}`,
      [[...new Set(owners)]],
    );
    return {
      available: new Map(rows.map((r) => [r.id, parseMoney(r.available)])),
      capped: rows.filter(({ hasCaps }) => hasCaps).map(({ id }) => id),
    };
  }

  /** The balances of active users' accounts, and what messages cost in a time. */
  daySums(days: DayOf[]): Promise<DaySum[]> {
    return this.db.query<DaySum>(
      `select d.user_id as "userId", d.owner_id as "OwnerId", coalesce(b.balance, 0)::text as balance, o.settings #>> '{billings,currency}' as currency,
              (select coalesce(-sum(e.amount), 0) from billings e
                where e.owner_id = d.owner_id and e.id >= d.first and e.id < d.last and e.source > 0 and e.created_by is null
                  and e.status = ${BILLING_STATUS_CODES.complete})::text as spent
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) d (user_id, owner_id, first, last)
         join users o on o.id = d.owner_id and o.is_active
         join users u on u.id = d.user_id and u.is_active
         left join balances b on b.owner_id = d.owner_id`,
      [
        days.map(({ userId }) => userId),
        days.map(({ OwnerId }) => OwnerId),
        days.map(({ start }) => uuidFloor(start)),
        days.map(({ end }) => uuidFloor(end)),
      ],
    );
  }

  /**
   * One amount per owner. Refused by the constraint `balance_covers` when balance and overdraft do not cover it. Returns the owners
   * that have spend caps.
   */
  async subtract(charges: { OwnerId: string; amount: Money }[]): Promise<string[]> {
    const rows = await this.db.query<{ id: string; hasCaps: boolean }>(
      `update balances b set balance = b.balance - d.amount from unnest($1::uuid[], $2::numeric[]) as d(owner_id, amount)
        where b.owner_id = d.owner_id returning b.owner_id as id, b.has_caps as "hasCaps"`,
      [charges.map((c) => c.OwnerId), charges.map((c) => formatMoney(c.amount))],
    );
    return rows.filter(({ hasCaps }) => hasCaps).map(({ id }) => id);
  }

  /** Locked in the order of owners until the transaction ends. */
  async lockBalances(owners: string[]): Promise<Map<string, LockedBalance>> {
    const rows = await this.db.query<Record<'id' | 'balance' | 'overdraft' | 'freeCredit', string>>(
      `select owner_id as id, balance::text, overdraft::text,
              (select coalesce(sum(f.amount), 0) from free_credits f where f.owner_id = b.owner_id)::text as "freeCredit"
         from balances b where owner_id = any($1) order by owner_id for update`,
      [owners],
    );
    if (rows.length < owners.length) throw notFound();
    return new Map(
      rows.map(({ id, balance, overdraft, freeCredit }) => [
        id,
        {
          balance: parseMoney(balance),
          overdraft: parseMoney(overdraft),
          freeCredit: parseMoney(freeCredit),
        },
      ]),
    );
  }

  /** Refused by the constraint `balance_covers` when balance and overdraft do not cover it. */
  async move(OwnerId: string, amount: string): Promise<{ balance: string; hasCaps: boolean }> {
    const [row] = await this.db.query<{ balance: string; hasCaps: boolean }>(
      `update balances set balance = balance + $2 where owner_id = $1
       returning balance::text, has_caps as "hasCaps"`,
      [OwnerId, amount],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Writes an entry of an origin, once; false when there is one. Another transaction that writes it is waited for. */
  async enter(entry: EntryOfOrigin): Promise<boolean> {
    return (await this.enterAll([entry])).length > 0;
  }

  /** Returns the ids of the written entries. In the order of ids, so that two transactions with the same origins do not deadlock. */
  async enterAll(entries: EntryOfOrigin[]): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `insert into billings (id, owner_id, source, amount, origin, origin_id, comment, created_by)
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::numeric[], $5::smallint[], $6::uuid[], $7::text[], $8::uuid[])
       on conflict (origin, origin_id) where origin is not null do nothing returning id`,
      [
        entries.map((e) => e.id),
        entries.map((e) => e.OwnerId),
        entries.map((e) => MANUAL_SOURCES[e.amount > 0n ? 'accrual' : 'subtract']),
        entries.map((e) => formatMoney(e.amount)),
        entries.map((e) => ORIGIN_CODES[e.origin.type]),
        entries.map((e) => e.origin.id),
        entries.map((e) => e.comment ?? null),
        entries.map((e) => e.createdBy ?? null),
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** Adds one amount per owner; the caller has locked the balances. */
  async moveAll(moves: { OwnerId: string; amount: Money }[]): Promise<Map<string, Money>> {
    const rows = await this.db.query<{ id: string; balance: string }>(
      `update balances b set balance = b.balance + d.amount from unnest($1::uuid[], $2::numeric[]) as d(owner_id, amount)
        where b.owner_id = d.owner_id returning b.owner_id as id, b.balance::text`,
      [moves.map((m) => m.OwnerId), moves.map((m) => formatMoney(m.amount))],
    );
    return new Map(rows.map(({ id, balance }) => [id, parseMoney(balance)]));
  }

  /** Turns a complete subtraction into an invalid one. Undefined when there is none. */
  async invalidate({
    type,
    id,
  }: BillingOrigin): Promise<{ id: string; OwnerId: string; amount: string } | undefined> {
    const [row] = await this.db.query<{ id: string; OwnerId: string; amount: string }>(
      `update billings set status = ${BILLING_STATUS_CODES.invalid}
        where origin = $1 and origin_id = $2 and amount <= 0 and status = ${BILLING_STATUS_CODES.complete}
        returning id, owner_id as "OwnerId", (-amount)::text as amount`,
      [ORIGIN_CODES[type], id],
    );
    return row;
  }

  /** Marks complete charges as refunded and returns the amount by owner. Rows are locked in the order of ids, so that two refunds do not deadlock. */
  async refund(ids: string[], at: Date): Promise<Refunded[]> {
    return this.db.query<Refunded>(
      `with complete as (
         select id from billings where id = any($1) and status = ${BILLING_STATUS_CODES.complete} and source > 0 order by id for update
       ), refunded as (
         update billings b set status = ${BILLING_STATUS_CODES.refunded}, refunded_at = $2
           from complete c where b.id = c.id returning b.id, b.owner_id, b.amount
       )
       select owner_id as "OwnerId", (-sum(amount))::text as amount, array_agg(id) as entries
         from refunded group by owner_id order by owner_id`,
      [ids, at],
    );
  }
}
