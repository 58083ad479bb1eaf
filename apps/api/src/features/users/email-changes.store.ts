import { Injectable } from '@nestjs/common';
import { grantsSql, isActiveSql, type Holder, type ManagedOwner } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { EmailKeys } from '../../core/mail/email-keys.ts';

/** A pending change of an address. */
export interface EmailChange {
  address: string;
  /** Whether it becomes the e-mail of the account. */
  isEmail: boolean;
  /** The new username, if the address becomes the login. */
  login: string | null;
  requestedBy: string;
}

/** The user before the change, and the requester. */
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

  /** Locks the user, which serialises concurrent confirmations. */
  async lock(userId: string, requestedBy: string): Promise<Changing> {
    const [row] = await this.db.query<Changing>(
      `select u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, u.data->>'email' as email,
              o.reseller_id as "resellerId", o.manager_id as "managerId",
              jsonb_build_object('userId', r.id, 'OwnerId', r.owner_id, 'level', r.level,
                'grants', ${grantsSql('r')}, 'role', r.role, 'isActive', ${isActiveSql('r')}) as requester
         from users u join users o on o.id = u.owner_id join users r on r.id = $2
        where u.id = $1 for no key update of u`,
      [userId, requestedBy],
    );
    return row!;
  }

  /** Also deletes recovery keys, which were sent to the former address. */
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

  /** The pending change, and the e-mail if it is not confirmed. */
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
