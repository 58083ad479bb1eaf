import { Injectable } from '@nestjs/common';
import { outcomeCode } from '@heliograph/domain';
import { isTestSql } from '../../core/auth/test-tokens.ts';
import { Db } from '../../core/db/db.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { BILLING_STATUS_CODES, restsSql } from '../billings/billings.service.ts';

export const QUARTER_MS = 15 * 60_000;

/** Recipients and charges of a quarter of an hour, by outcome of the first message. */
export interface QuarterRow {
  /** Start of the quarter, in milliseconds since the epoch. */
  at: number;
  total: number;
  delivered: number;
  failed: number;
  cancelled: number;
  spent: number;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const QUARTER = `date_bin('15 minutes', uuid_extract_timestamp(id), timestamptz 'epoch')`;

/** Reads the newest rows of an account along (owner_id, id) of both tables. */
@Injectable()
export class SummaryStore {
  constructor(private readonly db: Db) {}

  /** The quarters from `since` until `until` that have rows. What is given back of a call belongs to the quarter of its charge. */
  quarters(OwnerId: string, since: number, until: number | null): Promise<QuarterRow[]> {
    const counts = (['delivered', 'failed', 'cancelled'] as const)
      .map((name) => `count(*) filter (where outcome = ${outcomeCode(name)})::int as ${name}`)
      .join(', ');
    return this.db.queryUnprepared<QuarterRow>(
      `with counted as (
         select ${QUARTER} as quarter, count(*)::int as total, ${counts}
           from sendings where owner_id = $1 and id >= $2 and ($3::uuid is null or id < $3) and chain_id is null
            and not ${isTestSql('token_id')} group by 1
       ), spent as (
         select ${QUARTER} as quarter, -sum(amount)::float8 as spent from (
           select id, amount from billings
            where owner_id = $1 and id >= $2 and ($3::uuid is null or id < $3) and source > 0 and status <> ${BILLING_STATUS_CODES.refunded}
           union all
           select r.origin_id, r.amount from ${restsSql('$1', '$2', `coalesce($3::uuid, '${LAST_ID}')`)}) e group by 1
       )
       select (extract(epoch from quarter) * 1000)::float8 as at, coalesce(total, 0) as total,
              coalesce(delivered, 0) as delivered, coalesce(failed, 0) as failed, coalesce(cancelled, 0) as cancelled, coalesce(spent, 0) as spent
         from counted full join spent using (quarter)`,
      [OwnerId, uuidFloor(new Date(since)), until && uuidFloor(new Date(until))],
    );
  }

  async accountOf(OwnerId: string): Promise<{ funds: number; createdAt: Date }> {
    const [row] = await this.db.query<{ funds: number; createdAt: Date }>(
      `select coalesce(b.balance + b.overdraft, 0)::float8 as funds, u.created_at as "createdAt"
         from users u left join balances b on b.owner_id = u.id where u.id = $1`,
      [OwnerId],
    );
    return row!;
  }
}
