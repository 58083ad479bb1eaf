import { Injectable } from '@nestjs/common';
import { UNCONFIRMED_MESSAGES_PER_DAY } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

/** Messages per day of unconfirmed accounts, by account and by phone; and which contacts such an account may address. */
@Injectable()
export class AccountRulesStore {
  constructor(private readonly db: Db) {}

  async isLimitReached(keys: string[], day: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from unconfirmed_messages where key = any($1) and day = $2 and count >= $3`,
      [keys, day, UNCONFIRMED_MESSAGES_PER_DAY],
    );
    return rows.length > 0;
  }

  /** Counts one message under all keys, or under none when one of them has reached its limit; false then. */
  count(keys: string[], day: string): Promise<boolean> {
    return this.db.transaction(async () => {
      await this.db.query(
        `insert into unconfirmed_messages (key, day) select key, $2 from unnest($1::text[]) as k(key) order by key on conflict do nothing`,
        [keys, day],
      );
      const counts = await this.db.query<{ count: number }>(
        `select count from unconfirmed_messages where key = any($1) and day = $2 order by key for update`,
        [keys, day],
      );
      if (counts.some(({ count }) => count >= UNCONFIRMED_MESSAGES_PER_DAY)) return false;
      await this.db.query(
        `update unconfirmed_messages set count = count + 1 where key = any($1) and day = $2`,
        [keys, day],
      );
      return true;
    });
  }

  /** Whether lists contain a phone other than the account's own and the test phones. */
  async hasForeignPhones(lists: string[], ownPhone: string | null): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from contacts where list_id = any($1) and phone is not null and phone not similar to '\\+799900000[0-9]{2}'
          and phone is distinct from $2 limit 1`,
      [lists, ownPhone],
    );
    return rows.length > 0;
  }

  /** Deletes counts from before yesterday; returns how many. */
  deleteOld(now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from unconfirmed_messages where (day, key) in (
         select day, key from unconfirmed_messages where day < $1::date - 1 order by day, key limit ${limit})`,
      [now],
    );
  }
}
