import { Injectable } from '@nestjs/common';
import type { Level, OfferedProvider } from '@heliograph/contract';
import type { KnownPlace } from '@heliograph/domain';
import { isActiveSql, scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { requiredProvidersSql } from '../../core/auth/required-provider.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';

interface UserRow {
  id: string;
  username: string;
  OwnerId: string;
  level: Level;
}
export type WithPassword = UserRow & { passwordHash: string };

/** The origin of a session: a password, a passkey or an identity that was verified, a replaced session, or the impersonator's session. */
export interface Origin {
  userId: string;
  passwordHash?: string;
  /** Whether a code of the second factor was checked. */
  hasSecondFactor?: boolean;
  /** The identity provider that has verified the user. */
  ProviderId?: string;
  replaces?: string;
  actor?: { id: string; sessionId: string };
}

/** A session is valid for `seconds` and can be renewed for `days`. */
export interface SessionLifetime {
  seconds: number;
  days: number;
}

@Injectable()
export class AuthStore {
  constructor(private readonly db: Db) {}

  async byUsername(username: string): Promise<WithPassword | undefined> {
    const [row] = await this.db.query<WithPassword>(
      `select id, username, owner_id as "OwnerId", level, password_hash as "passwordHash"
         from users u where lower(username) = lower($1) and ${isActiveSql('u')}`,
      [username],
    );
    return row;
  }

  async passwordOf(userId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ passwordHash: string }>(
      `select password_hash as "passwordHash" from users u where id = $1 and ${isActiveSql('u')}`,
      [userId],
    );
    return row?.passwordHash;
  }

  /** Those through which alone the user signs in. */
  requiredProviders(userId: string): Promise<OfferedProvider[]> {
    return this.db.query(
      `select p.id, p.title from users u, ${requiredProvidersSql('u')} and u.id = $1 order by p.id`,
      [userId],
    );
  }

  async within(scope: AccessScope, id: string): Promise<UserRow> {
    const values: unknown[] = [id];
    const predicate = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<UserRow>(
      `select id, username, level, owner_id as "OwnerId" from users u where id = $1 and ${isActiveSql('u')} and ${predicate}`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }

  /** To whom notices are sent. */
  async addressee(
    userId: string,
  ): Promise<{ username: string; OwnerId: string; email: string | null }> {
    const [row] = await this.db.query<{ username: string; OwnerId: string; email: string | null }>(
      `select username, owner_id as "OwnerId", data->>'email' as email from users where id = $1`,
      [userId],
    );
    return row!;
  }

  /** Whether the user has signed in before. Sessions are kept for a month after they end, the audit log for longer. */
  async hasSignedIn(userId: string): Promise<boolean> {
    const [row] = await this.db.query<{ has: boolean }>(
      `select exists (select 1 from sessions where user_id = $1 and actor_id is null)
              or exists (select 1 from audit_log where actor_id = $1 and action = 'auth.login') as has`,
      [userId],
    );
    return row?.has ?? false;
  }

  /** The latest addresses from which the user has signed in with this user agent. */
  async addressesOf(userId: string, useragent: string): Promise<string[]> {
    const rows = await this.db.query<{ ip: string }>(
      `select distinct ip from
         (select ip from sessions where user_id = $1 and useragent = $2 and actor_id is null order by id desc limit 1000) s`,
      [userId, useragent],
    );
    return rows.map(({ ip }) => ip);
  }

  /** The place of the user's latest visit from an address, where one is known. */
  async placeOf(OwnerId: string, userId: string, ip: string): Promise<KnownPlace | undefined> {
    const [row] = await this.db.query<KnownPlace>(
      `select v.data->>'city' as city, v.data->>'country' as country, v.data->>'isoCode' as "isoCode"
         from (select * from visits where owner_id = $1 order by id desc limit 200) v
        where v.user_id = $2 and v.ip = $3 and v.data ? 'country' and not v.data ? 'actorId'
        order by v.id desc limit 1`,
      [OwnerId, userId, ip],
    );
    return row;
  }

  /**
   * An impersonated session expires with the impersonator's session. Undefined if the origin is no longer valid: the
   * password was changed, the second factor was turned on or off, another identity provider is required, or the impersonator's session
   * has ended. The lock makes this hold until the commit: who changes one of them waits for it and then ends the session, or has committed
   * before the statement after the lock.
   */
  async open(
    { userId, passwordHash, hasSecondFactor, ProviderId, replaces, actor }: Origin,
    { ip, useragent }: Visitor,
    { seconds, days }: SessionLifetime,
  ): Promise<{ id: string; expiresAt: Date } | undefined> {
    await this.db.query(`select 1 from users where id = $1 for key share`, [userId]);
    const [row] = await this.db.query<{ id: string; expiresAt: Date }>(
      `insert into sessions (user_id, actor_id, actor_session_id, ip, useragent, visit_id, signed_in_at, expires_at)
       select u.id, coalesce($2, f.actor_id), a.id, $3, $4, f.visit_id, coalesce(f.signed_in_at, a.signed_in_at, now()),
              least(now() + make_interval(secs => $5), coalesce(f.signed_in_at, a.signed_in_at, now()) + make_interval(days => $6), a.expires_at)
         from users u
              left join sessions f on f.id = $7
              left join sessions a on a.id = coalesce($8, f.actor_session_id) and a.revoked_at is null and a.expires_at > now()
        where u.id = $1 and ${isActiveSql('u')} and ($9::text is null or u.password_hash = $9)
          and ($10::boolean is null or $10 = exists (
            select 1 from second_factors x where x.user_id = u.id and x.enabled_at is not null))
          and (a.id is not null or coalesce($2, f.actor_id) is null)
          and (coalesce($7, $8) is not null or not exists (select 1 from ${requiredProvidersSql('u')})
               or exists (select 1 from ${requiredProvidersSql('u')} and p.id = $11))
       returning id, expires_at as "expiresAt"`,
      [
        userId,
        actor?.id,
        ip,
        useragent,
        seconds,
        days,
        replaces,
        actor?.sessionId,
        passwordHash,
        hasSecondFactor,
        ProviderId,
      ],
    );
    return row;
  }
}
