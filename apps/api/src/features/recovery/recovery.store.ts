import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import { EmailKeys } from '../../core/mail/email-keys.ts';

export interface Addressee {
  id: string;
  username: string;
  OwnerId: string;
  email: string | null;
}

/** Accounts that one letter box gets letters for at most. */
const NAMESAKES = 5;

@Injectable()
export class RecoveryStore {
  /** Keys to a new password. */
  readonly keys: EmailKeys;

  constructor(private readonly db: Db) {
    this.keys = new EmailKeys(db, 'recovery_keys', {});
  }

  /**
   * Who signs in by this name, and those whose e-mail it is: a name that looks like somebody's address takes no letter
   * from that one. Where the address was confirmed by some of them it is theirs alone.
   */
  addressees(login: string): Promise<Addressee[]> {
    return this.db.query<Addressee>(
      `with found as (
         select id, username, owner_id as "OwnerId", data->>'email' as email, lower(username) = lower($1) as "isNamed",
                lower(data->>'email') = lower($1) and email_confirmed_at is not null as "isConfirmed"
           from users where is_active and (lower(username) = lower($1) or lower(data->>'email') = lower($1)))
       select id, username, "OwnerId", email from found
        where "isNamed" or "isConfirmed" or not exists (select 1 from found where "isConfirmed")
        order by "isNamed" desc, "isConfirmed" desc, id limit ${NAMESAKES}`,
      [login],
    );
  }

  /** Who has the key of a letter has the address that it went to. */
  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await this.db.query(
      `update users set password_hash = $2, updated_at = now(),
              email_confirmed_at = case when data->>'email' is not null then coalesce(email_confirmed_at, now()) end
        where id = $1`,
      [userId, passwordHash],
    );
  }
}
