import { Injectable } from '@nestjs/common';
import type { Level } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';

interface UserRow {
  id: string;
  username: string;
  OwnerId: string;
  level: Level;
}
type WithPassword = UserRow & { passwordHash: string };

/** The origin of a session: a verified password, a replaced session, or the impersonator's session. */
export interface Origin {
  userId: string;
  passwordHash?: string;
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
      `select id, username, owner_id as "OwnerId", level, password_hash as "passwordHash" from users where lower(username) = lower($1) and is_active`,
      [username],
    );
    return row;
  }

  async passwordOf(userId: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ passwordHash: string }>(
      `select password_hash as "passwordHash" from users where id = $1 and is_active`,
      [userId],
    );
    return row?.passwordHash;
  }

  async within(scope: AccessScope, id: string): Promise<UserRow> {
    const values: unknown[] = [id];
    const predicate = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<UserRow>(
      `select id, username, level, owner_id as "OwnerId" from users where id = $1 and is_active and ${predicate}`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }

  /**
   * An impersonated session expires with the impersonator's session. Undefined if the origin is no longer valid: the
   * password was changed or the impersonator's session has ended.
   */
  async open(
    { userId, passwordHash, replaces, actor }: Origin,
    { ip, useragent }: Visitor,
    { seconds, days }: SessionLifetime,
  ): Promise<{ id: string; expiresAt: Date } | undefined> {
    const [row] = await this.db.query<{ id: string; expiresAt: Date }>(
      `insert into sessions (user_id, actor_id, actor_session_id, ip, useragent, signed_in_at, expires_at)
       select u.id, coalesce($2, f.actor_id), a.id, $3, $4, coalesce(f.signed_in_at, a.signed_in_at, now()),
              least(now() + make_interval(secs => $5), coalesce(f.signed_in_at, a.signed_in_at, now()) + make_interval(days => $6), a.expires_at)
         from users u
              left join sessions f on f.id = $7
              left join sessions a on a.id = coalesce($8, f.actor_session_id) and a.revoked_at is null and a.expires_at > now()
        where u.id = $1 and u.is_active and ($9::text is null or u.password_hash = $9)
          and (a.id is not null or coalesce($2, f.actor_id) is null)
       returning id, expires_at as "expiresAt"`,
      [userId, actor?.id, ip, useragent, seconds, days, replaces, actor?.sessionId, passwordHash],
    );
    return row;
  }

  /** Ends a session and the impersonated sessions opened from it. */
  revoke(id: string): Promise<string[]> {
    return this.end(`(id = $1 or actor_session_id = $1)`, id);
  }

  /** Ends a replaced session. Impersonated sessions opened from it are moved to the successor. */
  async replace(id: string, successor: string): Promise<string[]> {
    await this.db.query(
      `update sessions set actor_session_id = $2 where actor_session_id = $1 and revoked_at is null`,
      [id, successor],
    );
    return this.end(`id = $1`, id);
  }

  /**
   * Ends all sessions of a user, including those in which it is impersonated or impersonates others. The lock waits for
   * sessions that are being opened, which would otherwise survive.
   */
  async revokeAll(userId: string): Promise<string[]> {
    await this.db.query(`select 1 from users where id = $1 for update`, [userId]);
    return this.end(`(user_id = $1 or actor_id = $1)`, userId);
  }

  private async end(which: string, id: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `update sessions set revoked_at = now() where ${which} and revoked_at is null returning id`,
      [id],
    );
    return rows.map((row) => row.id);
  }
}
