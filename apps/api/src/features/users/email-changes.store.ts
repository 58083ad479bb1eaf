import { Injectable } from '@nestjs/common';
import type { Holder, ManagedOwner } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { EmailKeys } from '../../core/mail/email-keys.ts';

/** An address that waits to be confirmed, and what becomes of it then. */
export interface EmailChange {
  address: string;
  /** It is the account's e-mail. */
  isEmail: boolean;
  /** It is the login as well, spelled like this. */
  login: string | null;
  requestedBy: string;
}

/** Whose e-mail changes, as it was before, and who asked for it. */
export interface Changing extends Holder, ManagedOwner {
  username: string;
  email: string | null;
  requester: Holder & { isActive: boolean };
}

@Injectable()
export class EmailChangesStore {
  readonly keys: EmailKeys<EmailChange>;

  constructor(private readonly db: Db) {
    this.keys = new EmailKeys<EmailChange>(db, 'email_changes', {
      address: 'address',
      isEmail: 'is_email',
      login: 'username',
      requestedBy: 'requested_by',
    });
  }

  /** The row is locked: of two changes that are confirmed at once one comes second. */
  async lock(userId: string, requestedBy: string): Promise<Changing> {
    const [row] = await this.db.query<Changing>(
      `select u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, u.grants, u.data->>'email' as email,
              o.reseller_id as "resellerId", o.manager_id as "managerId",
              jsonb_build_object('userId', r.id, 'OwnerId', r.owner_id, 'level', r.level, 'grants', r.grants, 'isActive', r.is_active) as requester
         from users u join users o on o.id = u.owner_id join users r on r.id = $2
        where u.id = $1 for no key update of u`,
      [userId, requestedBy],
    );
    return row!;
  }

  /** A key to a new password that went to the former address is good no longer. */
  async apply(userId: string, { address, isEmail, login }: EmailChange): Promise<void> {
    await this.db.query(
      `update users set username = coalesce($3, username), updated_at = now(),
              data = case when $4 then jsonb_set(data, '{email}', to_jsonb($2::text)) else data end,
              email_confirmed_at = case when $4 or data->>'email' = $2 then now() else email_confirmed_at end
        where id = $1`,
      [userId, address, login, isEmail],
    );
    await this.db.query(`delete from recovery_keys where user_id = $1`, [userId]);
  }

  /** The address that the person's letter is for: what waits to be confirmed, else the e-mail that is not confirmed. */
  async unconfirmed(
    userId: string,
  ): Promise<{ username: string; waiting: EmailChange | null; email: string | null }> {
    const [row] = await this.db.query<{
      username: string;
      waiting: EmailChange | null;
      email: string | null;
    }>(
      `select u.username, case when u.email_confirmed_at is null then u.data->>'email' end as email,
              case when c.user_id is not null then jsonb_build_object(
                'address', c.address, 'isEmail', c.is_email, 'login', c.username, 'requestedBy', c.requested_by) end as waiting
         from users u left join email_changes c on c.user_id = u.id and c.expires_at > now()
        where u.id = $1`,
      [userId],
    );
    return row!;
  }
}
