import { Injectable } from '@nestjs/common';
import { TEST_CHANNEL, type InstallationStart } from '@heliograph/contract';
import { BASE_TARIFF } from '../../../../../seeds/base.ts';
import { Db } from '../../core/db/db.ts';

export interface SettingRow {
  name: string;
  /** Null for a secret. */
  value: unknown;
  updatedAt: Date;
  updatedBy: string | null;
}

export interface StartFacts {
  isMailTested: boolean;
  channel: InstallationStart['channel'];
  hasPrices: boolean;
  hasCustomer: boolean;
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

  /** `server` is that of `installation.testMail` in the audit log. */
  async startFacts(server: string | null): Promise<StartFacts> {
    const [row] = await this.db.query<StartFacts>(
      `select coalesce((select a.after->>'server' = $1 and (a.after->>'isAccepted')::boolean from audit_log a
                         where a.action = 'installation.testMail' order by a.id desc limit 1), false) as "isMailTested",
              coalesce((select case when bool_or(s.submitted > 0 and s.failing_since is null) then 'working' else 'untested' end
                          from channels c left join channel_states s on s.channel = c.name
                         where c.is_active and c.removed_at is null and c.name <> $2
                        having count(*) > 0), 'none') as channel,
              coalesce((select bool_and(t.id <> $3 or exists (select 1 from tariff_versions v where v.tariff_id = t.id and v.number > 1))
                          from tariffs t where t.is_default and t.removed_at is null), false) as "hasPrices",
              exists (select 1 from users where level <> 'manager' and id = owner_id) as "hasCustomer"`,
      [server, TEST_CHANNEL, BASE_TARIFF],
    );
    return row!;
  }

  async addressOf(userId: string): Promise<{ email: string | null; username: string }> {
    const [row] = await this.db.query<{ email: string | null; username: string }>(
      `select data->>'email' as email, username from users where id = $1`,
      [userId],
    );
    return row!;
  }
}
