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

/** Users to whom one request sends e-mails. */
const MAX_ADDRESSEES = 5;

@Injectable()
export class RecoveryStore {
  readonly keys: EmailKeys;

  constructor(private readonly db: Db) {
    this.keys = new EmailKeys(db, 'recovery_keys', {});
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

  /** Also confirms the e-mail, since the key was sent to it. */
  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await this.db.query(
      `update users set password_hash = $2, updated_at = now(),
              email_confirmed_at = case when data->>'email' is not null then coalesce(email_confirmed_at, now()) end
        where id = $1`,
      [userId, passwordHash],
    );
  }
}
