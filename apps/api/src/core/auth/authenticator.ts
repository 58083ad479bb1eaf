import { Injectable } from '@nestjs/common';
import { auth, can, isBelow, type Endpoint, type Permission } from '@heliograph/contract';
import type { Request } from 'express';
import { ExtractJwt } from 'passport-jwt';
import { TtlCache } from '../ttl-cache.ts';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import type { AppRequest } from '../http/endpoint.ts';
import { visitorOf, type TokenClient } from '../http/visitor.ts';
import { AppError } from '../errors.ts';
import { Sweeps } from '../jobs/handlers.ts';
import {
  grantsSql,
  isActiveSql,
  isWithin,
  rightsOf,
  type Actor,
  type Holder,
  type ManagedOwner,
} from './actor.ts';
import { ApiTokens } from './api-tokens.ts';
import { SESSION_USE_SECONDS, SessionUse } from './session-use.ts';
import { SessionGuard } from './session.guard.ts';
import { headerToken } from './session.strategy.ts';
import { isApiToken } from './token-secret.ts';

interface SessionRow extends Holder, ManagedOwner {
  sessionId: string;
  username: string;
  hasSecondFactor: boolean;
  /** `last_used_at` is due to be written. */
  isUseDue: boolean;
  /** The impersonator with its current permissions, if the session was opened by login-as. */
  actor: (Holder & { hasSecondFactor: boolean }) | null;
}

/** Expired sessions are kept for this long. */
const KEPT_DAYS = 30;
const DELETE_BATCH_SIZE = 5000;

/** Resolves a session token or an API token to an actor. */
@Injectable()
export class Authenticator {
  /** By session id. A revoked session stays valid for up to one second in other processes. */
  private readonly actors = new TtlCache((id: string) => this.bySession(id));

  constructor(
    private readonly db: Db,
    private readonly guard: SessionGuard,
    private readonly tokens: ApiTokens,
    private readonly use: SessionUse,
    private readonly config: Config,
  ) {}

  actor(request: Request, def: Pick<Endpoint, 'download'>): Promise<Actor> {
    const fromQuery = def.download ? ExtractJwt.fromUrlQueryParameter('token')(request) : null;
    if (fromQuery && !request.headers.authorization) request.headers.authorization = fromQuery;
    const { requestId } = request as AppRequest;
    return this.byHeader(request, { ...visitorOf(request), requestId });
  }

  /** The actor of a socket's token. Bypasses the cache, since a socket outlives its one-second TTL. */
  byToken(token: string, client: TokenClient): Promise<Actor> {
    return this.byHeader({ headers: { authorization: token } } as Request, client, true);
  }

  /** Drops the cached actor of a session id, or of the prefix of an API token. */
  invalidate(id: string): void {
    this.actors.invalidate(id);
    this.tokens.invalidate(id);
  }

  @Sweeps(3_600_000)
  async deleteExpired(): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from sessions where id in (
         select id from sessions where expires_at < now() - make_interval(days => $1) limit $2)`,
      [KEPT_DAYS, DELETE_BATCH_SIZE],
    );
    return deleted === DELETE_BATCH_SIZE;
  }

  private async byHeader(request: Request, client: TokenClient, isFresh = false): Promise<Actor> {
    const token = headerToken(request.headers.authorization);
    if (token && isApiToken(token)) return this.tokens.actor(token, client, isFresh);
    const claims = await this.guard.claimsOf(request);
    if (isFresh) this.invalidate(claims.sid);
    const cached = await this.actors.get(claims.sid);
    // It may just have been set up, in another process.
    if (cached.mustSetUpSecondFactor) this.actors.invalidate(claims.sid);
    const actor = cached.mustSetUpSecondFactor ? await this.actors.get(claims.sid) : cached;
    if (actor.userId !== claims.sub) throw ended();
    return actor;
  }

  private async bySession(id: string): Promise<Actor> {
    const [row] = await this.rowsOf([id]);
    if (!row) throw ended();
    if (row.isUseDue) this.use.note(id);
    return this.actorOf(row);
  }

  /** The actors of those of the sessions that are still valid, by session id. */
  async bySessions(ids: string[]): Promise<Map<string, Actor>> {
    const rows = await this.rowsOf(ids);
    return new Map(rows.map((row) => [row.sessionId, this.actorOf(row)]));
  }

  private async rowsOf(ids: string[]): Promise<SessionRow[]> {
    const rows = await this.db.query<SessionRow>(
      `select s.id as "sessionId", u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, ${grantsSql('u')} as grants, u.role,
              ${hasFactorSql('u')} as "hasSecondFactor",
              s.last_used_at < now() - make_interval(secs => ${SESSION_USE_SECONDS}) as "isUseDue",
              o.reseller_id as "resellerId", o.manager_id as "managerId",
              case when a.id is not null then
                jsonb_build_object('userId', a.id, 'OwnerId', a.owner_id, 'level', a.level,
                  'grants', ${grantsSql('a')}, 'role', a.role,
                  'hasSecondFactor', ${hasFactorSql('a')}) end as actor
         from sessions s join users u on u.id = s.user_id
              left join users a on a.id = s.actor_id
              left join sessions p on p.id = s.actor_session_id
              left join users o on o.id = case when s.actor_id is not null then u.owner_id end
        where s.id = any($1) and s.revoked_at is null and s.expires_at > now() and ${isActiveSql('u')}
          and (s.actor_id is null or (${isActiveSql('a')} and p.revoked_at is null and p.expires_at > now()))`,
      [ids],
    );
    return rows.filter((row) => this.canStillImpersonate(row));
  }

  /** An impersonated session is valid only while the impersonator could open it again. */
  private canStillImpersonate(row: SessionRow): boolean {
    const { actor, level } = row;
    if (!actor) return true;
    if (this.mustSetUp(actor)) return false;
    const { permissions, scope } = rightsOf(actor);
    const { can: permission, accept } = auth.loginAs;
    const mayLogIn = can(permissions, permission as Permission, accept);
    return mayLogIn && isBelow(level, actor.level) && isWithin(scope, row);
  }

  private actorOf(row: SessionRow): Actor {
    const { sessionId, userId, username, OwnerId, level, role, actor } = row;
    const person = { sessionId, tokenId: null, userId, username, OwnerId, level, role };
    // The impersonator has signed in with its own second factor.
    const mustSetUpSecondFactor = !actor && this.mustSetUp(row);
    return { ...person, actorId: actor?.userId ?? null, mustSetUpSecondFactor, ...rightsOf(row) };
  }

  private mustSetUp({
    level,
    hasSecondFactor,
  }: Pick<SessionRow, 'level' | 'hasSecondFactor'>): boolean {
    return !hasSecondFactor && this.config.SECOND_FACTOR_REQUIRED.includes(level);
  }
}

const hasFactorSql = (user: string) =>
  `exists (select 1 from second_factors x where x.user_id = ${user}.id and x.enabled_at is not null)`;

const ended = () => new AppError('session_ended');
