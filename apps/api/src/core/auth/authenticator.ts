import { Injectable } from '@nestjs/common';
import { permissionsOf, type Endpoint, type Grants, type Level } from '@heliograph/contract';
import type { Request } from 'express';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Db } from '../db/db.ts';
import { AppError } from '../errors.ts';
import type { Actor, Reach } from './actor.ts';
import { SessionKey } from './session-key.ts';

interface Claims {
  sub: string;
  sid: string;
}
interface SessionRow {
  id: string;
  actorId: string | null;
  userId: string;
  username: string;
  OwnerId: string;
  level: Level;
  grants: Grants;
}

/** How long a looked-up session is believed: a revoked one lives on for this long at most. */
const BELIEVED_MS = 1000;

/** Turns a token into an actor. Raw or `Bearer` in the header; `?token=` for sockets and downloads only. */
@Injectable()
export class Authenticator {
  private readonly believed = new Map<string, { actor: Actor; until: number }>();
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
    this.believed.delete(sessionId);
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
    const known = this.believed.get(claims.sid);
    if (known && known.until > Date.now()) return known.actor;
    const actor = await this.load(claims);
    if (this.believed.size > 10_000) this.believed.clear();
    this.believed.set(claims.sid, { actor, until: Date.now() + BELIEVED_MS });
    return actor;
  }

  private async load(claims: Claims): Promise<Actor> {
    const [row] = await this.db.query<SessionRow>(
      `select s.id, s.actor_id as "actorId", u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, u.grants
         from sessions s join users u on u.id = s.user_id left join users a on a.id = s.actor_id
        where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > now()
          and u.is_active and a.is_active is not false`,
      [claims.sid, claims.sub],
    );
    if (!row) throw new AppError('session_ended', 'The session has ended, sign in again');
    const permissions = permissionsOf(row.level, row.grants);
    const { userId, OwnerId, username, level, actorId } = row;
    return {
      userId,
      OwnerId,
      username,
      level,
      actorId,
      sessionId: row.id,
      permissions,
      reach: reachOf(row, 'users.all' in permissions),
    };
  }
}

export function headerToken(header: string | undefined): string | null {
  return header?.replace(/^Bearer\s+/i, '').trim() || null;
}

function reachOf(user: { level: Level; OwnerId: string; userId: string }, all: boolean): Reach {
  if (user.level === 'manager')
    return all ? { kind: 'all' } : { kind: 'manager', OwnerId: user.OwnerId, userId: user.userId };
  return { kind: user.level === 'reseller' ? 'reseller' : 'own', OwnerId: user.OwnerId };
}
