import { Injectable } from '@nestjs/common';
import { statusCode } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { uuidFloor } from '../../core/uuid.ts';

export const DAY_MS = 86_400_000;

export interface DayRow {
  /** 0 is the day that began at `from`, 1 the one before. */
  ago: number;
  total: number;
  delivered: number;
  failed: number;
  spent: number;
}

const REFUNDED = 2;
const ago = (id: string) =>
  `greatest(0, -floor(extract(epoch from uuid_extract_timestamp(${id}) - $2::timestamptz) / 86400))::int`;

/** Walks the newest ids of one owner: both tables have them in an index. */
@Injectable()
export class SummaryStore {
  constructor(private readonly db: Db) {}

  /** The days from `since` until `until`, a whole number of days around `from`. Days of nothing are left out. */
  days(OwnerId: string, from: Date, since: Date, until: Date | null): Promise<DayRow[]> {
    const [delivered, seen, failed] = (['delivered', 'seen', 'failed'] as const).map(statusCode);
    return this.db.ask<DayRow>(
      `with counted as (
         select ${ago('id')} as ago, count(*)::int as total,
                count(*) filter (where status in (${delivered}, ${seen}))::int as delivered,
                count(*) filter (where status = ${failed})::int as failed
           from sendings where owner_id = $1 and id >= $3 and ($4::uuid is null or id < $4) group by 1
       ), spent as (
         select ${ago('id')} as ago, -sum(amount)::float8 as spent from billings
          where owner_id = $1 and id >= $3 and ($4::uuid is null or id < $4) and source > 0 and status <> ${REFUNDED} group by 1
       )
       select ago, coalesce(total, 0) as total, coalesce(delivered, 0) as delivered, coalesce(failed, 0) as failed,
              coalesce(spent, 0) as spent
         from counted full join spent using (ago)`,
      [OwnerId, from, uuidFloor(since), until && uuidFloor(until)],
    );
  }

  async funds(OwnerId: string): Promise<number> {
    const [row] = await this.db.query<{ funds: number }>(
      `select (balance + overdraft)::float8 as funds from balances where owner_id = $1`,
      [OwnerId],
    );
    return row?.funds ?? 0;
  }
}
