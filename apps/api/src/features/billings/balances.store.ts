import { Injectable } from '@nestjs/common';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { BILLING_STATUS_CODES, restsSql } from './billing.codes.ts';

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

/** The balances of accounts. */
@Injectable()
export class BalancesStore {
  constructor(private readonly db: Db) {}

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
   * Balance plus overdraft by owner, and which owners have spend caps, packages of messages or volumes of tariffs. With `isLocked` the rows stay locked, in the order of owners,
   * until the transaction ends.
   */
  async available(
    owners: string[],
    isLocked: boolean,
  ): Promise<{
    available: Map<string, Money>;
    capped: string[];
    withPackages: string[];
    withVolumes: string[];
  }> {
    const rows = await this.db.query<{
      id: string;
      available: string;
      hasCaps: boolean;
      hasPackages: boolean;
      hasVolumes: boolean;
    }>(
      `select owner_id as id, (balance + overdraft)::text as available, has_caps as "hasCaps", has_packages as "hasPackages",
              has_volumes as "hasVolumes" from balances
        where owner_id = any($1) ${isLocked ? 'order by owner_id for update' : ''}`,
      [[...new Set(owners)]],
    );
    return {
      available: new Map(rows.map((r) => [r.id, parseMoney(r.available)])),
      capped: rows.filter(({ hasCaps }) => hasCaps).map(({ id }) => id),
      withPackages: rows.filter(({ hasPackages }) => hasPackages).map(({ id }) => id),
      withVolumes: rows.filter(({ hasVolumes }) => hasVolumes).map(({ id }) => id),
    };
  }

  /** The balances of active users' accounts, and what the messages of a time cost, less what was given back of calls by now. */
  daySums(days: DayOf[]): Promise<DaySum[]> {
    return this.db.query<DaySum>(
      `select d.user_id as "userId", d.owner_id as "OwnerId", coalesce(b.balance, 0)::text as balance, o.settings #>> '{billings,currency}' as currency,
              ((select coalesce(-sum(e.amount), 0) from billings e
                 where e.owner_id = d.owner_id and e.id >= d.first and e.id < d.last
                   and e.source > 0 and e.created_by is null and e.status = ${BILLING_STATUS_CODES.complete})
               - (select coalesce(sum(r.amount), 0) from ${restsSql('d.owner_id', 'd.first', 'd.last')}))::text as spent
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

  /** Notes that an account has packages of messages. */
  async markPackages(OwnerId: string): Promise<void> {
    const marked = await this.db.execute(
      `update balances set has_packages = true where owner_id = $1`,
      [OwnerId],
    );
    if (!marked) throw notFound();
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

  /** Adds one amount per owner; the caller has locked the balances. */
  async moveAll(moves: { OwnerId: string; amount: Money }[]): Promise<Map<string, Money>> {
    const rows = await this.db.query<{ id: string; balance: string }>(
      `update balances b set balance = b.balance + d.amount from unnest($1::uuid[], $2::numeric[]) as d(owner_id, amount)
        where b.owner_id = d.owner_id returning b.owner_id as id, b.balance::text`,
      [moves.map((m) => m.OwnerId), moves.map((m) => formatMoney(m.amount))],
    );
    return new Map(rows.map(({ id, balance }) => [id, parseMoney(balance)]));
  }
}
