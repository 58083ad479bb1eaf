import { Injectable } from '@nestjs/common';
import { permissionsOf, type Endpoint, type Grants, type Level } from '@heliograph/contract';
import type { Request } from 'express';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Believed } from '../believed.ts';
import { Db } from '../db/db.ts';
import { AppError } from '../errors.ts';
import { Sweeps } from '../jobs/handlers.ts';
import type { Actor, Reach } from './actor.ts';
import { SessionKey } from './session-key.ts';

interface Claims {
  sub: string;
  sid: string;
}
interface SessionRow {
  sessionId: string;
  actorId: string | null;
  userId: string;
  username: string;
  OwnerId: string;
  level: Level;
  grants: Grants;
}

/** How long a session is kept after its end, and how many go at a time. */
const KEPT_DAYS = 30;
const DROPPED_AT_MOST = 5000;

/** Turns a token into an actor. Raw or `Bearer` in the header; `?token=` for sockets and downloads only. */
@Injectable()
export class Authenticator {
  /** By session: a revoked one lives on for a second at most. */
  private readonly believed = new Believed((id: string) => this.bySession(id));
  private readonly fromHeader = new Strategy(
    {
      jwtFromRequest: (request: Request) => headerToken(request.headers.authorization),
      secretOrKeyProvider: (_request, _token, done) => {
        // Its types know of texts only.
        this.key.parsed().then((key) => done(null, key as unknown as Buffer), done);
      },
    },
    (claims: Claims, done) => done(null, claims),
  );

  constructor(
    private readonly db: Db,
    private readonly key: SessionKey,
  ) {}

  actor(request: Request, def: Pick<Endpoint, 'download'>): Promise<Actor> {
    const fromQuery = def.download ? ExtractJwt.fromUrlQueryParameter('token')(request) : null;
    if (fromQuery && !request.headers.authorization) request.headers.authorization = fromQuery;
    return this.byClaims(request);
  }

  /** The actor of a bare token, as sockets bring it. */
  byToken(token: string): Promise<Actor> {
    return this.byClaims({ headers: { authorization: token } } as Request);
  }

  forget(sessionId: string): void {
    this.believed.forget(sessionId);
  }

  /** Sessions that nobody asks about any more. */
  @Sweeps(3_600_000)
  async dropOld(): Promise<void> {
    await this.db.execute(
      `delete from sessions where id in (
         select id from sessions where expires_at < now() - make_interval(days => $1) limit $2)`,
      [KEPT_DAYS, DROPPED_AT_MOST],
    );
  }

  private async byClaims(request: Request): Promise<Actor> {
    // Passport takes a key that cannot be read for a wrong token; it is a failure of ours.
    await this.key.parsed();
    const claims = await new Promise<Claims | false>((resolve, reject) => {
      passport.authenticate(
        this.fromHeader,
        { session: false },
        (error: unknown, user: Claims | false) => (error ? reject(error as Error) : resolve(user)),
      )(request, {} as never, reject);
    });
    if (!claims) throw new AppError('unauthorized');
    const actor = await this.believed.get(claims.sid);
    if (actor.userId !== claims.sub) throw ended();
    return actor;
  }

  private async bySession(id: string): Promise<Actor> {
    const actor = (await this.bySessions([id])).get(id);
    if (!actor) throw ended();
    return actor;
  }

  /** Who is behind those of the sessions that go on, by session. */
  async bySessions(ids: string[]): Promise<Map<string, Actor>> {
    const rows = await this.db.query<SessionRow>(
      `select s.id as "sessionId", s.actor_id as "actorId", u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, u.grants
         from sessions s join users u on u.id = s.user_id left join users a on a.id = s.actor_id
        where s.id = any($1) and s.revoked_at is null and s.expires_at > now()
          and u.is_active and a.is_active is not false`,
      [ids],
    );
    return new Map(rows.map((row) => [row.sessionId, actorOf(row)]));
  }
}

const ended = () => new AppError('session_ended', 'The session has ended, sign in again');

function actorOf({ grants, ...row }: SessionRow): Actor {
  const permissions = permissionsOf(row.level, grants);
  return { ...row, permissions, reach: reachOf(row, 'users.all' in permissions) };
}

export function headerToken(header: string | undefined): string | null {
  return header?.replace(/^Bearer\s+/i, '').trim() || null;
}

function reachOf(user: { level: Level; OwnerId: string; userId: string }, all: boolean): Reach {
  if (user.level === 'manager')
    return all ? { kind: 'all' } : { kind: 'manager', OwnerId: user.OwnerId, userId: user.userId };
  return { kind: user.level === 'reseller' ? 'reseller' : 'own', OwnerId: user.OwnerId };
}
