import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';

@Injectable()
export class OtpCountersStore {
  constructor(private readonly db: Db) {}

  /** Counts one event of each key in its window, in the order of the keys, and returns the counts by position from 1. */
  count(keys: Buffer[], ends: Date[]): Promise<{ n: number; count: number }[]> {
    return this.db.query(
      `with k as (select * from unnest($1::bytea[], $2::timestamptz[]) with ordinality as k(key, ends_at, n)),
       counted as (
         insert into otp_counters as c (key, ends_at, count) select key, ends_at, 1 from k order by key, ends_at
         on conflict (key, ends_at) do update set count = c.count + 1 returning c.key, c.ends_at, c.count)
       select k.n::int as n, c.count from k join counted c on c.key = k.key and c.ends_at = k.ends_at order by k.n`,
      [keys, ends],
    );
  }

  deleteEnded(now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from otp_counters where (key, ends_at) in (
         select key, ends_at from otp_counters where ends_at < $1 order by ends_at limit ${limit})`,
      [now],
    );
  }
}
