import { Injectable } from '@nestjs/common';
import { isActiveSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class PasswordsStore {
  constructor(private readonly db: Db) {}

  /** Returns the e-mail of the user; undefined if the password is no longer `formerHash`. */
  async replace(
    userId: string,
    formerHash: string,
    passwordHash: string,
  ): Promise<{ email: string | null } | undefined> {
    const [row] = await this.db.query<{ email: string | null }>(
      `update users u set password_hash = $3, updated_at = now()
        where id = $1 and password_hash = $2 and ${isActiveSql('u')} returning data->>'email' as email`,
      [userId, formerHash, passwordHash],
    );
    return row;
  }

  /** Recovery keys that were requested before the change. */
  async deleteRecoveryKeys(userId: string): Promise<void> {
    await this.db.query(`delete from recovery_keys where user_id = $1`, [userId]);
  }
}
