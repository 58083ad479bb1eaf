import { Injectable } from '@nestjs/common';
import { COUNT_CAP, type Page, type sessions } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { isWhole, totals } from '../../core/db/find-page.ts';
import type { In } from '../../core/http/endpoint.ts';

type Query = In<typeof sessions.find>['query'];

export interface SessionRow {
  id: string;
  ip: string;
  useragent: string;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  Actor: { id: string; username: string } | null;
  place: { country?: string; city?: string; isoCode?: string } | null;
}

export interface EndedSession {
  id: string;
  userId: string;
}

const ORDER: Record<Query['order'][number]['field'], string> = {
  lastUsedAt: 's.last_used_at',
  signedInAt: 's.signed_in_at',
};

/** `$1` is the user; for an impersonated session `$2` is the impersonator, who sees only its own sessions. */
const OPEN = `from sessions s left join sessions p on p.id = s.actor_session_id
 where s.user_id = $1 and s.revoked_at is null and s.expires_at > now()
   and ($2::uuid is null or s.actor_id = $2)
   and (s.actor_id is null or (p.revoked_at is null and p.expires_at > now()))`;

@Injectable()
export class SessionsStore {
  constructor(private readonly db: Db) {}

  async find({ userId, actorId }: Actor, query: Query): Promise<Page<SessionRow>> {
    const order = query.order.map(({ field, direction }) => `${ORDER[field]} ${direction}`);
    const rows = await this.db.queryUnprepared<SessionRow>(
      `select s.id, s.ip, s.useragent, s.signed_in_at as "signedInAt", s.last_used_at as "lastUsedAt",
              s.expires_at as "expiresAt",
              (select jsonb_build_object('id', a.id, 'username', a.username) from users a where a.id = s.actor_id) as "Actor",
              (select v.data from visits v where v.id = s.visit_id and v.user_id = s.user_id) as place
       ${OPEN} order by ${order.join(', ')}, s.id desc limit $3 offset $4`,
      [userId, actorId, query.limit, query.offset],
    );
    if (isWhole(rows, query)) return { data: rows, ...totals(rows.length, query) };
    const [count] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from (select 1 ${OPEN} limit ${COUNT_CAP + 1}) c`,
      [userId, actorId],
    );
    return { data: rows, ...totals(count!.n, query) };
  }

  /** Ends a session and the impersonated sessions opened from it. */
  end(userId: string, id: string): Promise<EndedSession[]> {
    return this.revoke(
      `(id = $2 and user_id = $1)
       or actor_session_id = (select id from sessions where id = $2 and user_id = $1 and revoked_at is null)`,
      [userId, id],
    );
  }

  /**
   * Ends the sessions of a user except one, and the impersonated sessions opened from them. The lock waits for sessions
   * that are being opened, which would otherwise survive.
   */
  async endOthers(userId: string, id: string): Promise<EndedSession[]> {
    await this.db.query(`select 1 from users where id = $1 for update`, [userId]);
    return this.revoke(
      `id = any(array(select id from sessions where user_id = $1 and id <> $2
                 union all select s.id from sessions o join sessions s on s.actor_session_id = o.id where o.user_id = $1 and o.id <> $2 and s.id <> $2))`,
      [userId, id],
    );
  }

  /**
   * Ends all sessions of a user, including those in which it is impersonated or impersonates others. With `until` only those whose sign-in
   * was not later.
   */
  async endAll(userId: string, until?: Date): Promise<EndedSession[]> {
    await this.db.query(`select 1 from users where id = $1 for update`, [userId]);
    return this.revoke(
      `(user_id = $1 or actor_id = $1) and ($2::timestamptz is null or signed_in_at <= $2)`,
      [userId, until],
    );
  }

  /** Impersonated sessions opened from the replaced session are moved to the successor. */
  async replace(userId: string, id: string, successor: string): Promise<EndedSession[]> {
    await this.db.query(
      `update sessions set actor_session_id = $2 where actor_session_id = $1 and revoked_at is null`,
      [id, successor],
    );
    return this.revoke(`id = $2 and user_id = $1`, [userId, id]);
  }

  private revoke(which: string, values: unknown[]): Promise<EndedSession[]> {
    return this.db.query<EndedSession>(
      `update sessions set revoked_at = now() where (${which}) and revoked_at is null and expires_at > now()
       returning id, user_id as "userId"`,
      values,
    );
  }
}
