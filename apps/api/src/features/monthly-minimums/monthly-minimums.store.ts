import { Injectable } from '@nestjs/common';
import { formatMoney, parseMoney, type DocumentMonth, type Money } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { BILLING_STATUS_CODES, restsSql } from '../billings/billings.service.ts';

export interface MinimumInForce {
  minimum: Money;
  /** From the next month on. */
  next: Money;
  unpaid: Money;
  /** Not set by a reseller. */
  isOfInstallation: boolean;
}

/** A month that has ended, and what is charged for it if its account can be charged. */
export interface EndedMonth {
  id: string;
  OwnerId: string;
  period: string;
  minimum: string;
  currency: string;
  ResellerId: string | null;
  /** The account has this currency and reseller still. */
  isInForce: boolean;
  /** Suspended, removed and test accounts are not. */
  isCharged: boolean;
}

export interface DueFee {
  id: string;
  OwnerId: string;
  period: string;
  fee: string;
  currency: string;
}

/** Whether a minimum `m` is in force for its account `u`: one of a reseller for its own customers. */
const IN_FORCE = `(m.reseller_id is null or m.reseller_id = u.reseller_id)`;
const DAY = (column: string) => `to_char(${column}, 'YYYY-MM-DD')`;

@Injectable()
export class MonthlyMinimumsStore {
  constructor(private readonly db: Db) {}

  /** Until the transaction ends no other one changes the minimum of the account. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
  }

  /** What has begun goes on in the months after it. */
  async inForce(
    OwnerId: string,
    { month, next }: Record<'month' | 'next', string>,
    currency: string,
  ): Promise<MinimumInForce> {
    const latest = (period: string) =>
      `(select m from monthly_minimums m where m.owner_id = u.id and m.period <= ${period} order by m.period desc limit 1)`;
    const [row] = await this.db.query<
      Record<'minimum' | 'next' | 'unpaid', string> & { isOfInstallation: boolean }
    >(
      `select coalesce(m.minimum, 0)::text as minimum, coalesce(n.minimum, 0)::text as next,
              coalesce(n.minimum > 0 and n.reseller_id is null or m.minimum > 0 and m.reseller_id is null, false) as "isOfInstallation",
              (select coalesce(sum(d.fee), 0) from monthly_minimums d where d.owner_id = u.id and d.retry_at is not null)::text as unpaid
         from users u
         left join lateral (select (${latest('$2')}).*) m on m.currency = $4 and ${IN_FORCE}
         left join lateral (select (${latest('$3')}).*) n on n.currency = $4 and (n.reseller_id is null or n.reseller_id = u.reseller_id)
        where u.id = $1`,
      [OwnerId, month, next, currency],
    );
    return {
      minimum: parseMoney(row!.minimum),
      next: parseMoney(row!.next),
      unpaid: parseMoney(row!.unpaid),
      isOfInstallation: row!.isOfInstallation,
    };
  }

  /** What messages cost in a month, without those that were refunded and what was given back of calls. A manual entry has an author. */
  async spent(OwnerId: string, { from, to }: Pick<DocumentMonth, 'from' | 'to'>): Promise<Money> {
    const [row] = await this.db.query<{ sum: string }>(
      `select ((select coalesce(-sum(amount), 0) from billings
                 where owner_id = $1 and id >= $2 and id < $3 and status = ${BILLING_STATUS_CODES.complete}
                   and source > 0 and created_by is null)
               - (select coalesce(sum(r.amount), 0) from ${restsSql('$1', '$2', '$3')}))::text as sum`,
      [OwnerId, uuidFloor(from), uuidFloor(to)],
    );
    return parseMoney(row!.sum);
  }

  async put(
    row: { OwnerId: string; minimum: Money; currency: string; ResellerId: string | null },
    period: string,
  ): Promise<void> {
    await this.db.query(
      `insert into monthly_minimums (owner_id, period, minimum, currency, reseller_id) values ($1, $2, $3, $4, $5)
       on conflict (owner_id, period) do update
         set minimum = excluded.minimum, currency = excluded.currency, reseller_id = excluded.reseller_id`,
      [row.OwnerId, period, formatMoney(row.minimum), row.currency, row.ResellerId],
    );
  }

  /** Of a month that has not begun. */
  async remove(OwnerId: string, period: string): Promise<void> {
    await this.db.query(`delete from monthly_minimums where owner_id = $1 and period = $2`, [
      OwnerId,
      period,
    ]);
  }

  /** Charges nothing for months up to one that are not charged yet. */
  async waive(OwnerId: string, period: string): Promise<void> {
    await this.db.query(
      `update monthly_minimums set minimum = 0 where owner_id = $1 and spent is null and period <= $2`,
      [OwnerId, period],
    );
    await this.db.query(
      `update monthly_minimums set fee = 0, retry_at = null where owner_id = $1 and retry_at is not null`,
      [OwnerId],
    );
  }

  /** The first month up to one that has ended and is not counted. Locked: another worker takes the next one. */
  async ended(period: string): Promise<EndedMonth | null> {
    const [row] = await this.db.query<EndedMonth>(
      `select m.id, m.owner_id as "OwnerId", ${DAY('m.period')} as period, m.minimum::text, m.currency, m.reseller_id as "ResellerId",
              ${IN_FORCE} as "isInForce",
              u.is_active and u.removed_at is null and not u.is_test as "isCharged"
         from monthly_minimums m join users u on u.id = m.owner_id
        where m.spent is null and m.period <= $1
        order by m.period, m.owner_id limit 1 for update of m skip locked`,
      [period],
    );
    return row ?? null;
  }

  /** A month has ended: what it cost, what is charged for it, and the next one, unless it has a minimum of its own. */
  async close(
    month: EndedMonth,
    sums: Record<'spent' | 'fee', Money>,
    now: Date,
    isLast: boolean,
  ): Promise<void> {
    await this.db.query(
      `update monthly_minimums set spent = $2, fee = $3, retry_at = case when $3::numeric > 0 then $4::timestamptz end where id = $1`,
      [month.id, formatMoney(sums.spent), formatMoney(sums.fee), now],
    );
    if (isLast) return;
    await this.db.query(
      `insert into monthly_minimums (owner_id, period, minimum, currency, reseller_id)
       values ($1, ($2::date + interval '1 month')::date, $3, $4, $5) on conflict (owner_id, period) do nothing`,
      [month.OwnerId, month.period, month.minimum, month.currency, month.ResellerId],
    );
  }

  /** A fee that is to be charged by now. Locked: another worker takes the next one. */
  async due(now: Date): Promise<DueFee | null> {
    const [row] = await this.db.query<DueFee>(
      `select id, owner_id as "OwnerId", ${DAY('period')} as period, fee::text, currency
         from monthly_minimums where retry_at <= $1 order by retry_at, id limit 1 for update skip locked`,
      [now],
    );
    return row ?? null;
  }

  async charged(id: string, at: Date): Promise<void> {
    await this.db.query(
      `update monthly_minimums set charged_at = $2, retry_at = null where id = $1`,
      [id, at],
    );
  }

  /** The balance does not cover a fee that was due. True when its owner has not been told so. */
  async retry(id: string, now: Date, at: Date): Promise<boolean> {
    const rows = await this.db.query<{ isNew: boolean }>(
      `with due as (select id, is_unpaid_told from monthly_minimums where id = $1 and retry_at <= $2 for update)
       update monthly_minimums m set retry_at = $3, is_unpaid_told = true from due where m.id = due.id
       returning not due.is_unpaid_told as "isNew"`,
      [id, now, at],
    );
    return rows[0]?.isNew ?? false;
  }
}
