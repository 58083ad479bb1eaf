import { Injectable } from '@nestjs/common';
import type { SendingType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** What a row may say; the rest is by default. */
interface StoredSettings {
  billings?: { currency?: string; processChildrenOperations?: boolean };
  sendings?: { sendernamesCheck?: SendingType[]; types?: SendingType[] };
}

@Injectable()
export class SettingsStore {
  constructor(private readonly db: Db) {}

  async ofAccount(OwnerId: string): Promise<{ settings: StoredSettings; overdraft: number }> {
    const [row] = await this.db.query<{ settings: StoredSettings; overdraft: number }>(
      `select u.settings, coalesce(b.overdraft, 0)::float8 as overdraft
         from users u left join balances b on b.owner_id = u.id
        where u.id = $1`,
      [OwnerId],
    );
    return row ?? { settings: {}, overdraft: 0 };
  }

  async isTest(OwnerId: string): Promise<boolean> {
    const rows = await this.db.query(`select 1 from users where id = $1 and is_test`, [OwnerId]);
    return rows.length > 0;
  }

  async nameOf(userId: string): Promise<{ id: string; username: string } | null> {
    const [row] = await this.db.query<{ id: string; username: string }>(
      `select id, username from users where id = $1`,
      [userId],
    );
    return row ?? null;
  }
}
