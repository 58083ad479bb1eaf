import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';

interface Counted {
  key: Buffer;
  /** The end of its window. */
  endsAt: Date;
  added: number;
}

@Injectable()
export class OtpCountersStore {
  constructor(private readonly db: Db) {}

  /** Adds to the counts of distinct keys and windows, in the order of the keys, which locks them; returns the new counts in the order given. */
  async add(events: Counted[]): Promise<number[]> {
    const rows = await this.db.query<{ count: number }>(
      `with k as (select * from unnest($1::bytea[], $2::timestamptz[], $3::integer[]) with ordinality as k(key, ends_at, added, n)),
       counted as (
         insert into otp_counters as c (key, ends_at, count) select key, ends_at, added from k order by key, ends_at
         on conflict (key, ends_at) do update set count = c.count + excluded.count returning c.key, c.ends_at, c.count)
       select c.count from k join counted c on c.key = k.key and c.ends_at = k.ends_at order by k.n`,
      [events.map((e) => e.key), events.map((e) => e.endsAt), events.map((e) => e.added)],
    );
    return rows.map(({ count }) => count);
  }

  /** The counts of keys in windows that end at `since` or later, added up. */
  async sums(keys: { key: Buffer; since: Date }[]): Promise<number[]> {
    const rows = await this.db.query<{ count: number }>(
      `select coalesce(sum(c.count), 0)::int as count from unnest($1::bytea[], $2::timestamptz[]) with ordinality as k(key, since, n)
         left join otp_counters c on c.key = k.key and c.ends_at >= k.since group by k.n order by k.n`,
      [keys.map(({ key }) => key), keys.map(({ since }) => since)],
    );
    return rows.map(({ count }) => count);
  }

  deleteEnded(now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from otp_counters where (key, ends_at) in (
         select key, ends_at from otp_counters where ends_at < $1 order by ends_at limit ${limit})`,
      [now],
    );
  }
}
