import { Injectable } from '@nestjs/common';
import type { billings, BillingsWhere, Page, Range } from '@heliograph/contract';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { byOwner } from '../../core/db/by-owner.ts';
import {
  conditions,
  equals,
  findIds,
  idTime,
  inOrder,
  type Bind,
  type Fragment,
  type ListSql,
} from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import {
  BILLING_STATUS_CODES,
  BILLING_STATUS_NAMES,
  sourceCode,
  type BillingStatus,
  type Source,
} from './billing.codes.ts';
import { Billing } from './billing.entity.ts';

type Query = In<typeof billings.find>['query'];

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
  entries: number;
}

export interface LockedBalance {
  balance: Money;
  overdraft: Money;
  /** Credited when the account was opened. */
  freeCredit: Money;
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

  /** By time, each status is read along its own index and the results are merged, so that a rare status does not scan the others. */
  override async find(scope: AccessScope, query: Query): Promise<Page<Billing>> {
    const [{ field, direction }] = query.order as [Query['order'][number]];
    if (field !== 'createdAt') return super.find(scope, query);
    const ids = (bind: Bind, take: string) => {
      const { status: statuses = BILLING_STATUS_NAMES, OwnerId, ...filter } = query.filter;
      const rows = conditions(this.list, { ...query, filter }, bind);
      const along =
        filter.id || (scope.kind === 'all' && !Object.keys(query.filter).length)
          ? ('rows' as const)
          : ('owners' as const);
      const idsWithStatus = (name: BillingStatus) =>
        byOwner({ scope, OwnerId, column: 'b.owner_id', along }, bind, (within) => {
          const where = [within, `b.status = ${BILLING_STATUS_CODES[name]}`, ...rows].join(' and ');
          return `select b.id from billings b where ${where} order by b.id ${direction} limit ${take}`;
        });
      return statuses.map((name) => `(${idsWithStatus(name)})`).join(' union all ');
    };
    const { page, ...numbers } = await findIds(this.db, query, ids);
    return { data: inOrder(page, await this.byIds(scope, page)), ...numbers };
  }

  /** The conditions of a report on entries `b`, without those of the access scope. */
  reportConditions({ createdAt, ...filter }: BillingsReport, bind: Bind): string[] {
    const query = { filter, range: { createdAt } };
    return conditions(this.list, query as Query, bind);
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

  /** Balance plus overdraft by owner. With `isLocked` the rows stay locked, in the order of owners, until the transaction ends. */
  async available(owners: string[], isLocked: boolean): Promise<Map<string, Money>> {
    const rows = await this.db.query<{ id: string; available: string }>(
      `select owner_id as id, (balance + overdraft)::text as available from balances
        where owner_id = any($1) ${isLocked ? 'order by owner_id for update' : ''}`,
      [[...new Set(owners)]],
    );
    return new Map(rows.map((r) => [r.id, parseMoney(r.available)]));
  }

  /** One amount per owner. Refused by the constraint `balance_covers` when balance and overdraft do not cover it. */
  async subtract(charges: { OwnerId: string; amount: Money }[]): Promise<void> {
    await this.db.query(
      `update balances b set balance = b.balance - d.amount from unnest($1::uuid[], $2::numeric[]) as d(owner_id, amount)
        where b.owner_id = d.owner_id`,
      [charges.map((c) => c.OwnerId), charges.map((c) => formatMoney(c.amount))],
    );
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
  async move(OwnerId: string, amount: string): Promise<{ balance: string }> {
    const [row] = await this.db.query<{ balance: string }>(
      `update balances set balance = balance + $2 where owner_id = $1 returning balance::text`,
      [OwnerId, amount],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Marks complete charges as refunded and returns the amount by owner. Rows are locked in the order of ids, so that two refunds do not deadlock. */
  async refund(ids: string[], at: Date): Promise<Refunded[]> {
    return this.db.query<Refunded>(
      `with complete as (
         select id from billings where id = any($1) and status = ${BILLING_STATUS_CODES.complete} and source > 0 order by id for update
       ), refunded as (
         update billings b set status = ${BILLING_STATUS_CODES.refunded}, refunded_at = $2
           from complete c where b.id = c.id returning b.owner_id, b.amount
       )
       select owner_id as "OwnerId", (-sum(amount))::text as amount, count(*)::int as entries
         from refunded group by owner_id order by owner_id`,
      [ids, at],
    );
  }
}
