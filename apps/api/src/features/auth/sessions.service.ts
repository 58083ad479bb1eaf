import { Injectable } from '@nestjs/common';
import type { OpenSession, Page, sessions } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import { Rooms } from '../../core/events/rooms.ts';
import type { In } from '../../core/http/endpoint.ts';
import { SessionsStore, type EndedSession, type SessionRow } from './sessions.store.ts';
import { clientOf } from '../../core/http/user-agent.ts';

/** The open sessions of a user. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly db: Db,
    private readonly store: SessionsStore,
    private readonly audit: Audit,
    private readonly authenticator: Authenticator,
    private readonly rooms: Rooms,
  ) {}

  async find(actor: Actor, query: In<typeof sessions.find>['query']): Promise<Page<OpenSession>> {
    const page = await this.store.find(actor, query);
    return { ...page, data: page.data.map((row) => present(row, actor)) };
  }

  async remove(actor: Actor, id: string): Promise<number> {
    refuseImpersonated(actor);
    return this.db.transaction(async () => {
      const ended = await this.store.end(actor.userId, id);
      if (!ended.length) throw notFound();
      await this.audit.record({ target: ['sessions', id], after: { ended: ended.length } });
      return this.notifyEnded(ended);
    });
  }

  async removeOthers(actor: Actor): Promise<number> {
    refuseImpersonated(actor);
    return this.db.transaction(async () => {
      const ended = await this.store.endOthers(actor.userId, actor.sessionId);
      await this.audit.record({ after: { ended: ended.length } });
      return this.notifyEnded(ended);
    });
  }

  /** An impersonated session can end only itself, not the user's own sessions. */
  logout(actor: Actor, everywhere: boolean): Promise<number> {
    return this.db.transaction(async () => {
      const ended =
        everywhere && !actor.actorId
          ? await this.store.endAll(actor.userId)
          : await this.store.end(actor.userId, actor.sessionId);
      await this.audit.record({ after: { everywhere, ended: ended.length } });
      return this.notifyEnded(ended);
    });
  }

  /** Ends all sessions of a user, or those that were opened until a time. Part of the caller's transaction. */
  async endAll(userId: string, until?: Date): Promise<number> {
    return this.notifyEnded(await this.store.endAll(userId, until));
  }

  /** Tells the other sessions of the user, after the commit. */
  notifyOpened(userId: string): void {
    this.db.afterCommit(() => this.emitChanged([userId]));
  }

  /** After the commit, all API processes drop cached actors and sockets of these sessions. */
  notifyEnded(ended: EndedSession[]): number {
    const ids = ended.map(({ id }) => id);
    this.db.afterCommit(() => {
      for (const id of ids) this.authenticator.invalidate(id);
      this.rooms.endSessions(ids);
      this.emitChanged(ended.map(({ userId }) => userId));
    });
    return ids.length;
  }

  private emitChanged(userIds: string[]): void {
    for (const [userId, all] of Map.groupBy(userIds, (id) => id))
      this.rooms.emit([Rooms.person(userId)], 'sessions.changed', { count: all.length });
  }
}

/** The client of an impersonator is shown to the impersonator only, as in visits. */
function present(row: SessionRow, { sessionId, userId, actorId }: Actor): OpenSession {
  const isKnown = !row.Actor || [userId, actorId].includes(row.Actor.id);
  const { browser, system, device } = clientOf(isKnown ? row.useragent : '');
  const { country = null, city = null, isoCode = null } = (isKnown && row.place) || {};
  return {
    id: row.id,
    isCurrent: row.id === sessionId,
    browser,
    system,
    device,
    useragent: isKnown ? row.useragent : null,
    ip: isKnown ? row.ip : null,
    place: { country, city, isoCode },
    signedInAt: row.signedInAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    Actor: row.Actor,
  };
}
