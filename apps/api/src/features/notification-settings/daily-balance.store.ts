import { Injectable } from '@nestjs/common';
import { roleHasSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

interface Due {
  userId: string;
  OwnerId: string;
  timeZone: string | null;
}

@Injectable()
export class DailyBalanceStore {
  constructor(private readonly db: Db) {}

  /** Users whose morning has come. Locked until the transaction ends, so that one worker notifies them. */
  claim(now: Date, limit: number): Promise<Due[]> {
    return this.db.query<Due>(
      `select s.user_id as "userId", u.owner_id as "OwnerId",
              coalesce((select value #>> '{}' from settings_user p where p.user_id = s.user_id and p.key = 'timeZone'), s.time_zone) as "timeZone"
         from notification_settings s join users u on u.id = s.user_id
        where s.next_at <= $1 and ${roleHasSql('u', 'billings.find')} order by s.next_at, s.user_id limit $2 for update of s skip locked`,
      [now, limit],
    );
  }

  async postpone(days: { userId: string; nextAt: Date }[]): Promise<void> {
    await this.db.query(
      `update notification_settings s set next_at = d.next_at
         from unnest($1::uuid[], $2::timestamptz[]) d (user_id, next_at) where s.user_id = d.user_id and s.type = 'BalanceDaily'`,
      [days.map(({ userId }) => userId), days.map(({ nextAt }) => nextAt)],
    );
  }
}
