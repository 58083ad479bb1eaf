import { Injectable } from '@nestjs/common';
import { uuidFloor } from '../../../core/uuid.ts';
import { Db } from '../../../core/db/db.ts';
import { BILLING_STATUS_CODES } from '../../billings/billings.service.ts';

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

  /**
   * What was charged for messages from one time to another, less what was refunded since then of charges that earlier acts state. A refund
   * belongs to the time in which it is made, so that what an act states does not depend on when it is made.
   */
  async charged(OwnerId: string, from: Date, to: Date): Promise<string> {
    const [row] = await this.db.query<{ sum: string }>(
      `select (select coalesce(-sum(amount), 0) from billings
                where owner_id = $1 and source >= 0 and id >= $2 and id < $3
                  and (status = ${complete} or status = ${refunded} and refunded_at >= $4))
            - (select coalesce(-sum(b.amount), 0) from billings b
                where b.owner_id = $1 and b.source >= 0 and b.status = ${refunded} and b.id < $2 and b.refunded_at < $4
                  and b.refunded_at >= (select max(${nextMonth('a.period')}) from invoices a where a.owner_id = $1 and a.type = 'act')
                  and exists (select 1 from invoices a where a.owner_id = $1 and a.type = 'act' and a.period = ${monthOf('b.id')})) as sum`,
      [OwnerId, uuidFloor(from), uuidFloor(to), to],
    );
    return row!.sum;
  }

  async advance(period: string, after: string | null): Promise<void> {
    await this.db.query(
      `update act_months set after = $2, completed_at = case when $2::uuid is null then now() end where period = $1`,
      [period, after],
    );
  }
}
