import { Injectable } from '@nestjs/common';
import { MAX_LISTS, type SettingsUser, type UserSettingKey } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import type { Quota } from '../../core/quotas.ts';

/** Of a user, not of the account. */
export const LISTS_QUOTA: Quota = {
  name: 'lists',
  limit: () => MAX_LISTS,
  used: `select count(*)::float8 as used from settings_user where user_id = $1 and key like 'list.%'`,
};

@Injectable()
export class SettingsUserStore {
  constructor(private readonly db: Db) {}

  async of(userId: string): Promise<SettingsUser> {
    const [row] = await this.db.query<{ settings: SettingsUser }>(
      `select coalesce(jsonb_object_agg(key, value), '{}') as settings from settings_user where user_id = $1`,
      [userId],
    );
    return row!.settings;
  }

  /**
   * Times grow with the order of the changes, by a millisecond at least: clients compare them as ISO strings. The row
   * is locked when its time is read.
   */
  async put(userId: string, key: UserSettingKey, value: unknown): Promise<Date> {
    const [row] = await this.db.query<{ updatedAt: Date }>(
      `insert into settings_user as s (user_id, key, value, updated_at) values ($1, $2, $3::jsonb, clock_timestamp())
       on conflict (user_id, key) do update set value = excluded.value,
         updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 millisecond')
       returning updated_at as "updatedAt"`,
      [userId, key, JSON.stringify(value)],
    );
    return row!.updatedAt;
  }

  async remove(userId: string, key: UserSettingKey): Promise<Date> {
    const [row] = await this.db.query<{ updatedAt: Date }>(
      `with removed as (delete from settings_user where user_id = $1 and key = $2 returning updated_at)
       select greatest(clock_timestamp(), (select updated_at + interval '1 millisecond' from removed)) as "updatedAt"`,
      [userId, key],
    );
    return row!.updatedAt;
  }
}
