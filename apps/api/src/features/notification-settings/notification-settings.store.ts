import { Injectable } from '@nestjs/common';
import type { NotificationChannel, NotificationType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

interface Chosen {
  channels: NotificationChannel[];
  timeZone: string | null;
  /** That of the personal settings, which comes first. */
  personalZone: string | null;
}

/** Settings belong to a user, not to an account. */
@Injectable()
export class NotificationSettingsStore {
  constructor(private readonly db: Db) {}

  async chosen(userId: string): Promise<Map<string, NotificationChannel[]>> {
    const rows = await this.db.query<{ type: string; channels: NotificationChannel[] }>(
      `select type, channels from notification_settings where user_id = $1`,
      [userId],
    );
    return new Map(rows.map(({ type, channels }) => [type, channels]));
  }

  /** The choice, which begins with the defaults, locked until the transaction ends. */
  async lock(
    userId: string,
    type: NotificationType,
    defaults: readonly NotificationChannel[],
  ): Promise<Chosen> {
    const [row] = await this.db.query<Chosen>(
      `insert into notification_settings as s (user_id, type, channels) values ($1, $2, $3)
       on conflict (user_id, type) do update set updated_at = now()
       returning channels, time_zone as "timeZone",
                 (select value #>> '{}' from settings_user where user_id = $1 and key = 'timeZone') as "personalZone"`,
      [userId, type, defaults],
    );
    return row!;
  }

  async save(
    userId: string,
    type: NotificationType,
    choice: { channels: NotificationChannel[]; timeZone: string | null; nextAt: Date | null },
  ): Promise<void> {
    await this.db.query(
      `update notification_settings set channels = $3, time_zone = $4, next_at = $5, updated_at = now()
        where user_id = $1 and type = $2`,
      [userId, type, choice.channels, choice.timeZone, choice.nextAt],
    );
  }

  /** The confirmed address of a user. */
  async email(userId: string): Promise<string | null> {
    const [row] = await this.db.query<{ email: string | null }>(
      `select data->>'email' as email from users where id = $1 and email_confirmed_at is not null`,
      [userId],
    );
    return row?.email ?? null;
  }
}
