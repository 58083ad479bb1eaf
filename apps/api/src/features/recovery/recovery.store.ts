import { Injectable } from '@nestjs/common';
import { isActiveSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { EmailKeys } from '../../core/mail/email-keys.ts';

export interface Addressee {
  id: string;
  username: string;
  OwnerId: string;
  email: string | null;
}

/** Whether the key was sent by e-mail, and not shown to who created the user. */
interface RecoveryKey {
  isEmailed: boolean;
}

/** Users to whom one request sends e-mails. */
const MAX_ADDRESSEES = 5;

@Injectable()
export class RecoveryStore {
  readonly keys: EmailKeys<RecoveryKey>;

  constructor(private readonly db: Db) {
    this.keys = new EmailKeys<RecoveryKey>(db, 'recovery_keys', { isEmailed: 'is_emailed' });
  }

  /**
   * Users with this username or e-mail. A username that equals the e-mail of another user does not hide that user. If some
   * of them have confirmed the address, the unconfirmed ones are omitted.
   */
  addressees(login: string): Promise<Addressee[]> {
    return this.db.query<Addressee>(
      `with found as (
         select id, username, owner_id as "OwnerId", data->>'email' as email, lower(username) = lower($1) as "isNamed",
                lower(data->>'email') = lower($1) and email_confirmed_at is not null as "isConfirmed"
           from users u where ${isActiveSql('u')} and (lower(username) = lower($1) or lower(data->>'email') = lower($1)))
       select id, username, "OwnerId", email from found
        where "isNamed" or "isConfirmed" or not exists (select 1 from found where "isConfirmed")
        order by "isNamed" desc, "isConfirmed" desc, id limit ${MAX_ADDRESSEES}`,
      [login],
    );
  }

  /** Also confirms the e-mail, if the key was sent to it. An invited user is no longer one. */
  async setPassword(userId: string, passwordHash: string, isEmailed: boolean): Promise<void> {
    await this.db.query(
      `update users set password_hash = $2, updated_at = now(), invited_at = null,
              email_confirmed_at = case when data->>'email' is not null then coalesce(email_confirmed_at, case when $3 then now() end) end
        where id = $1`,
      [userId, passwordHash, isEmailed],
    );
  }

  /** Whether the user has chosen no password yet. */
  async isInvited(userId: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from users where id = $1 and invited_at is not null`,
      [userId],
    );
    return rows.length > 0;
  }

  async setInvited(userId: string): Promise<void> {
    await this.db.query(`update users set invited_at = now() where id = $1`, [userId]);
  }
}
