import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import { uuidFloor } from '../../../core/uuid.ts';

interface Counts {
  sessions: number;
  confirmed: number;
}
export interface PrefixRow extends Counts {
  prefix: string;
  blockedUntil: Date | null;
}
export interface PumpedRow extends Counts {
  OwnerId: string;
  prefix: string;
}

const CONFIRMED = `count(*) filter (where s.confirmed_at is not null)::int`;
const MAX_PREFIXES = 200;
const MAX_PUMPED = 100;

/** Conversion of sessions but those of tests, and blocks of numbering ranges. */
@Injectable()
export class OtpStatisticsStore {
  constructor(private readonly db: Db) {}

  async sessions(widgetId: string, from: Date, to: Date): Promise<Counts> {
    const [row] = await this.db.query<Counts>(
      `select count(*)::int as sessions, ${CONFIRMED} as confirmed
         from otp_sessions s where s.widget_id = $1 and s.id >= $2 and s.id < $3 and not s.is_test`,
      [widgetId, uuidFloor(from), uuidFloor(to)],
    );
    return row!;
  }

  /** Messages of all rounds are in `sent_by`, which the session counts by channel. */
  channels(
    widgetId: string,
    from: Date,
    to: Date,
  ): Promise<{ channelType: string; sent: number; confirmed: number }[]> {
    return this.db.query(
      `with found as materialized (
         select id, sent_by, confirmed_by from otp_sessions where widget_id = $1 and id >= $2 and id < $3 and not is_test),
       sent as (
         select type, sum(n::int)::int as sent from found, jsonb_each_text(sent_by) as e(type, n) group by type),
       confirmed as (
         select confirmed_by as type, count(*)::int as confirmed from found where confirmed_by is not null group by confirmed_by)
       select type as "channelType", coalesce(sent, 0) as sent, coalesce(confirmed, 0) as confirmed
         from sent full join confirmed using (type) order by sent desc nulls last, type`,
      [widgetId, uuidFloor(from), uuidFloor(to)],
    );
  }

  prefixes(OwnerId: string, since: Date, now: Date): Promise<PrefixRow[]> {
    return this.db.query(
      `with traffic as (
         select s.prefix, count(*)::int as sessions, ${CONFIRMED} as confirmed
           from otp_sessions s where s.owner_id = $1 and s.id >= $2 and not s.is_test group by s.prefix),
       blocked as (select prefix, blocked_until from otp_blocks where owner_id = $1 and blocked_until > $3)
       select prefix, coalesce(sessions, 0) as sessions, coalesce(confirmed, 0) as confirmed, blocked_until as "blockedUntil"
         from traffic full join blocked using (prefix)
        order by blocked_until desc nulls last, sessions desc nulls last, prefix limit ${MAX_PREFIXES}`,
      [OwnerId, uuidFloor(since), now],
    );
  }

  /** Ends a block. Sessions before `now` are not counted again. */
  unblock(OwnerId: string, prefix: string, now: Date): Promise<number> {
    return this.db.execute(
      `update otp_blocks set blocked_until = $3, counted_since = $3, times = 0
        where owner_id = $1 and prefix = $2 and blocked_until > $3`,
      [OwnerId, prefix, now],
    );
  }

  /** Until when ranges are blocked, in their order; null for those that are not. */
  async blockedUntil(
    ranges: { OwnerId: string; prefix: string }[],
    now: Date,
  ): Promise<(Date | null)[]> {
    const rows = await this.db.query<{ until: Date | null }>(
      `select b.blocked_until as until from unnest($1::uuid[], $2::text[]) with ordinality as r(owner_id, prefix, n)
         left join otp_blocks b on b.owner_id = r.owner_id and b.prefix = r.prefix and b.blocked_until > $3 order by r.n`,
      [ranges.map((r) => r.OwnerId), ranges.map((r) => r.prefix), now],
    );
    return rows.map(({ until }) => until);
  }

  /** Ranges with at least so many sessions of which less than the share was confirmed, and that are not blocked. */
  pumped(
    [from, to]: [Date, Date],
    now: Date,
    { sessions, share }: { sessions: number; share: number },
  ): Promise<PumpedRow[]> {
    return this.db.query(
      `select s.owner_id as "OwnerId", s.prefix, count(*)::int as sessions, ${CONFIRMED} as confirmed
         from otp_sessions s left join otp_blocks b on b.owner_id = s.owner_id and b.prefix = s.prefix
        where s.id >= $1 and s.id < $2 and not s.is_test
          and (b.prefix is null or (b.blocked_until <= $3 and s.created_at > b.counted_since))
        group by s.owner_id, s.prefix
       having count(*) >= $4 and ${CONFIRMED} < $5::float8 * count(*)
        order by count(*) desc limit ${MAX_PUMPED}`,
      [uuidFloor(from), uuidFloor(to), now, sessions, share],
    );
  }

  /** Locks the row of the block; `times` is how often the range was blocked before. Null if it is blocked already. */
  async startBlock(OwnerId: string, prefix: string, now: Date): Promise<number | null> {
    const [row] = await this.db.query<{ times: number }>(
      `insert into otp_blocks (owner_id, prefix, blocked_until, times, counted_since) values ($1, $2, $3, 1, $3)
       on conflict (owner_id, prefix) do update set times = otp_blocks.times + 1, counted_since = $3
        where otp_blocks.blocked_until <= $3
       returning times`,
      [OwnerId, prefix, now],
    );
    return row?.times ?? null;
  }

  async setBlock(OwnerId: string, prefix: string, until: Date): Promise<void> {
    await this.db.query(
      `update otp_blocks set blocked_until = $3, counted_since = $3 where owner_id = $1 and prefix = $2`,
      [OwnerId, prefix, until],
    );
  }
}
