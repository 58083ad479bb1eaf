import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface SettingRow {
  name: string;
  /** Null for a secret. */
  value: unknown;
  updatedAt: Date;
  updatedBy: string | null;
}

/** Settings that differ from the environment and the defaults. */
@Injectable()
export class InstallationSettingsStore {
  constructor(private readonly db: Db) {}

  find(): Promise<SettingRow[]> {
    return this.db.query(
      `select s.name, s.value, s.updated_at as "updatedAt", u.username as "updatedBy"
         from installation_settings s left join users u on u.id = s.updated_by`,
    );
  }

  /** Changes wait for each other. */
  async lock(): Promise<void> {
    await this.db.query(`lock table installation_settings in exclusive mode`);
  }

  /** One of `value` and `sealed` is null. */
  async set(
    name: string,
    { value, sealed }: { value: unknown; sealed: Buffer | null },
    { at, by }: { at: Date; by: string },
  ): Promise<void> {
    await this.db.query(
      `insert into installation_settings (name, value, sealed, updated_at, updated_by) values ($1, $2, $3, $4, $5)
       on conflict (name) do update set value = excluded.value, sealed = excluded.sealed,
              updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      [name, sealed ? null : JSON.stringify(value), sealed, at, by],
    );
  }

  async remove(name: string): Promise<void> {
    await this.db.query(`delete from installation_settings where name = $1`, [name]);
  }

  async addressOf(userId: string): Promise<{ email: string | null; username: string }> {
    const [row] = await this.db.query<{ email: string | null; username: string }>(
      `select data->>'email' as email, username from users where id = $1`,
      [userId],
    );
    return row!;
  }
}
