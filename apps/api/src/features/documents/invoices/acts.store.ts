import { Injectable } from '@nestjs/common';
import { uuidFloor, uuidFloorSql } from '../../../core/uuid.ts';
import { Db } from '../../../core/db/db.ts';
import {
  BILLING_STATUS_CODES,
  MANUAL_SOURCES,
  ORIGIN_CODES,
  restsSql,
} from '../../billings/billings.service.ts';

const { complete, refunded } = BILLING_STATUS_CODES;
/** Months of acts, as `monthBefore` has them. */
const monthOf = (id: string) =>
  `date_trunc('month', uuid_extract_timestamp(${id}) at time zone 'Europe/Moscow')::date`;
const nextMonth = (period: string) =>
  `(${period} + interval '1 month') at time zone 'Europe/Moscow'`;

/** Charges of a month, and how far its acts are made. */
@Injectable()
export class ActsStore {
  constructor(private readonly db: Db) {}

  /** Whether the acts of a month are still to be made, and after which account. Locks the month. */
  async open(period: string): Promise<{ after: string | null } | null> {
    const [row] = await this.db.query<{ after: string | null; completed: boolean }>(
      `insert into act_months (period) values ($1) on conflict (period) do update set period = excluded.period
       returning after, completed_at is not null as completed`,
      [period],
    );
    return row!.completed ? null : { after: row!.after };
  }

  /** The next account that paid an invoice. */
  async next(after: string | null): Promise<string | null> {
    const [row] = await this.db.query<{ OwnerId: string }>(
      `select owner_id as "OwnerId" from invoices
        where type = 'invoice' and status = 'paid' and ($1::uuid is null or owner_id > $1) order by owner_id limit 1`,
      [after],
    );
    return row?.OwnerId ?? null;
  }

  /** Whether a month of an account is counted in its acts. */
  async isCounted(OwnerId: string, period: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from act_remainders where owner_id = $1 and period = $2`,
      [OwnerId, period],
    );
    return rows.length > 0;
  }

  /**
   * What the next act has to state: the charges for messages and the fees of monthly minimums from one time to another, less what was refunded since the last counted
   * month of charges that are counted, and the remainder of that month. So is what was given back of calls. A refund belongs to the time in which it is made, so that what an
   * act states does not depend on when it is made.
   */
  async due(OwnerId: string, from: Date, to: Date): Promise<string> {
    const [row] = await this.db.query<{ sum: string }>(
      `with last as (select period, remainder from act_remainders where owner_id = $1 order by period desc limit 1)
       select (select coalesce(-sum(amount), 0) from billings
                where owner_id = $1 and (source >= 0 or origin = ${ORIGIN_CODES.minimum}) and id >= $2 and id < $3
                  and (status = ${complete} or status = ${refunded} and refunded_at >= $4))
            - (select coalesce(-sum(b.amount), 0) from billings b
                where b.owner_id = $1 and b.source >= 0 and b.status = ${refunded} and b.id < $2
                  and b.refunded_at >= (select ${nextMonth('period')} from last) and b.refunded_at < $4
                  and exists (select 1 from act_remainders r where r.owner_id = $1 and r.period = ${monthOf('b.id')}))
            - (select coalesce(sum(r.amount), 0) from ${restsSql('$1', '$2', '$3')} and r.id < $3)
            - (select coalesce(sum(b.amount), 0) from billings b
                where b.owner_id = $1 and b.source = ${MANUAL_SOURCES.accrual} and b.origin = ${ORIGIN_CODES.call} and b.origin_id < $2
                  and b.id >= (select ${uuidFloorSql(nextMonth('period'))} from last) and b.id < $3
                  and exists (select 1 from act_remainders r where r.owner_id = $1 and r.period = ${monthOf('b.origin_id')}))
            + coalesce((select remainder from last), 0) as sum`,
      [OwnerId, uuidFloor(from), uuidFloor(to), to],
    );
    return row!.sum;
  }

  async count(OwnerId: string, period: string, remainder: string): Promise<void> {
    await this.db.query(
      `insert into act_remainders (owner_id, period, remainder) values ($1, $2, $3)`,
      [OwnerId, period, remainder],
    );
  }

  async advance(period: string, after: string | null): Promise<void> {
    await this.db.query(
      `update act_months set after = $2, completed_at = case when $2::uuid is null then now() end where period = $1`,
      [period, after],
    );
  }
}
