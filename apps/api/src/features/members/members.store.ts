import { Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import type { Quota } from '../../core/quotas.ts';

export interface MemberRow {
  id: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  role: Role;
  isHolder: boolean;
  isActive: boolean;
  invitedAt: Date | null;
  hasSecondFactor: boolean;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** The holder is not one of them. */
export const MEMBERS_QUOTA: Quota = {
  name: 'members',
  limit: () => 100,
  used: `select count(*)::float8 as used from users where owner_id = $1 and id <> $1 and removed_at is null`,
};

/** The users of accounts. */
@Injectable()
export class MembersStore {
  constructor(private readonly db: Db) {}

  /** The holder, then the members as they came. */
  find(OwnerId: string): Promise<MemberRow[]> {
    return this.rows(OwnerId, null);
  }

  async get(OwnerId: string, id: string): Promise<MemberRow | undefined> {
    return (await this.rows(OwnerId, id))[0];
  }

  /** Serialises changes of a team. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
  }

  async setRole(id: string, role: Role): Promise<void> {
    await this.db.query(`update users set role = $2, updated_at = now() where id = $1`, [id, role]);
  }

  /** Ids of the open sessions of a user. */
  async sessionsOf(id: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select id from sessions where user_id = $1 and revoked_at is null and expires_at > now()`,
      [id],
    );
    return rows.map((row) => row.id);
  }

  /**
   * The row stays for the audit log and for what the member has sent, without personal data but the name. Nobody can sign in by it, and
   * the name is free again. Returns the number of API tokens that were removed.
   */
  async retire(id: string): Promise<number> {
    await this.db.query(
      `update users set is_active = false, removed_at = now(), username = username || ' #' || right(id::text, 12), password_hash = '',
              data = '{}', invited_at = null, email_confirmed_at = null, phone_confirmed_at = null, pending_phone = null, updated_at = now()
        where id = $1`,
      [id],
    );
    for (const table of TABLES_OF_PERSON)
      await this.db.query(`delete from ${table} where user_id = $1`, [id]);
    // The provider of the account, which may make people members, would let this one in again at the next sign-in.
    await this.db.query(
      `delete from identities i using users u where i.user_id = $1 and u.id = i.user_id
          and not exists (select from identity_providers p where p.id = i.provider_id and p.account_id = u.owner_id)`,
      [id],
    );
    await this.db.query(`update identities set name = '' where user_id = $1`, [id]);
    return this.db.execute(`delete from tokens where user_id = $1`, [id]);
  }

  private rows(OwnerId: string, id: string | null): Promise<MemberRow[]> {
    return this.db.query<MemberRow>(
      `select u.id, u.username, u.data->>'email' as email, u.data->>'firstName' as "firstName", u.data->>'lastName' as "lastName",
              coalesce(u.role, 'owner') as role, u.id = u.owner_id as "isHolder", u.is_active as "isActive", u.invited_at as "invitedAt",
              exists (select 1 from second_factors f where f.user_id = u.id and f.enabled_at is not null) as "hasSecondFactor",
              (select max(s.last_used_at) from sessions s
                where s.user_id = u.id and s.actor_id is null and s.revoked_at is null and s.expires_at > now()) as "lastUsedAt",
              u.created_at as "createdAt"
         from users u
        where u.owner_id = $1 and u.removed_at is null and ($2::uuid is null or u.id = $2)
        order by u.id = u.owner_id desc, u.created_at, u.id`,
      [OwnerId, id],
    );
  }
}

/** What a person has set up to sign in and to be reached. */
const TABLES_OF_PERSON = [
  'recovery_keys',
  'email_changes',
  'phone_codes',
  'second_factors',
  'passkeys',
  'telegram_codes',
  'telegram_chats',
  'notification_queue',
  'notification_settings',
  'balance_limits',
];
