import { Injectable } from '@nestjs/common';
import type { Locale } from '@heliograph/domain';
import { Db } from '../db/db.ts';

/** The language of e-mails to a user. */
@Injectable()
export class EmailLocalesStore {
  constructor(private readonly db: Db) {}

  /**
   * The personal setting. A user without one gets the language of the request, which another user, such as a manager,
   * may have sent.
   */
  async of(userId: string, requested: Locale): Promise<Locale> {
    const [row] = await this.db.query<{ locale: Locale }>(
      `select value #>> '{}' as locale from settings_user where user_id = $1 and key = 'locale'`,
      [userId],
    );
    return row?.locale ?? requested;
  }
}
