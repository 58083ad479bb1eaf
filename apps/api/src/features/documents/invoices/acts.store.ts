import { Injectable } from '@nestjs/common';
import { uuidFloor } from '../../../core/uuid.ts';
import { Db } from '../../../core/db/db.ts';
import { BILLING_STATUS_CODES } from '../../billings/billings.service.ts';

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

  /** What was charged for messages from one time to another, without what was refunded. */
  async charged(OwnerId: string, from: Date, to: Date): Promise<string> {
    const [row] = await this.db.query<{ sum: string }>(
      `select coalesce(-sum(amount), 0)::text as sum from billings
        where owner_id = $1 and source >= 0 and status = ${BILLING_STATUS_CODES.complete} and id >= $2 and id < $3`,
      [OwnerId, uuidFloor(from), uuidFloor(to)],
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
