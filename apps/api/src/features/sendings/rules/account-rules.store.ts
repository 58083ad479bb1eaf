import { Injectable } from '@nestjs/common';
import { UNCONFIRMED_MESSAGES_PER_DAY } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

/** Messages per day of unconfirmed accounts, by account and by phone; which contacts such an account may address; and blacklists. */
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

  /**
   * Counts messages, each under all of its keys, or under none when one of them has reached its limit; false then. In the transaction
   * that stores them.
   */
  async take(messages: string[][], day: string): Promise<boolean[]> {
    if (!messages.length) return [];
    const keys = [...new Set(messages.flat())];
    await this.db.query(
      `insert into unconfirmed_messages (key, day) select key, $2 from unnest($1::text[]) as k(key) order by key on conflict do nothing`,
      [keys, day],
    );
    const rows = await this.db.query<{ key: string; count: number }>(
      `select key, count from unconfirmed_messages where key = any($1) and day = $2 order by key for update`,
      [keys, day],
    );
    const counts = new Map(rows.map(({ key, count }) => [key, count]));
    const taken = messages.map((own) => {
      if (own.some((key) => counts.get(key)! >= UNCONFIRMED_MESSAGES_PER_DAY)) return false;
      for (const key of own) counts.set(key, counts.get(key)! + 1);
      return true;
    });
    await this.add(
      messages.filter((_, i) => taken[i]),
      day,
      1,
    );
    return taken;
  }

  /** Takes back messages that were counted in the same transaction. */
  giveBack(messages: string[][], day: string): Promise<void> {
    return this.add(messages, day, -1);
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

  /** Whether each address is on a blacklist of its owner, parallel to `addresses`. */
  async areBlacklisted(addresses: { OwnerId: string; address: string }[]): Promise<boolean[]> {
    const rows = await this.db.query<{ blacklisted: boolean }>(
      `select exists (select 1 from contact_lists l
                       where l.owner_id = a.owner_id and l.type = 'blacklist' and l.is_active
                         and case when a.address like '%@%'
                           then exists (select 1 from contacts c where c.list_id = l.id and c.email = a.address)
                           else exists (select 1 from contacts c where c.list_id = l.id and c.phone = a.address) end) as blacklisted
         from unnest($1::uuid[], $2::text[]) with ordinality as a(owner_id, address, n) order by a.n`,
      [addresses.map((a) => a.OwnerId), addresses.map((a) => a.address)],
    );
    return rows.map((r) => r.blacklisted);
  }

  private async add(messages: string[][], day: string, sign: 1 | -1): Promise<void> {
    if (!messages.length) return;
    await this.db.query(
      `update unconfirmed_messages m set count = m.count + $3 * k.n
         from (select key, count(*)::int as n from unnest($1::text[]) as k(key) group by key) k where m.key = k.key and m.day = $2`,
      [messages.flat(), day, sign],
    );
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
