import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isBelow, type Credentials, type ErrorCode, type Session } from '@heliograph/contract';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Refusals } from '../../core/audit/refusals.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { verifyPassword } from '../../core/auth/passwords.ts';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Rooms } from '../../core/events/rooms.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { TelemetryService } from '../telemetry/telemetry.service.ts';
import { AuthStore, type Origin } from './auth.store.ts';
import { Devices } from './devices.ts';
import { LoginLimit } from './login-limit.ts';

@Injectable()
export class AuthService {
  constructor(
    private readonly db: Db,
    private readonly store: AuthStore,
    private readonly limit: LoginLimit,
    private readonly devices: Devices,
    private readonly telemetry: TelemetryService,
    private readonly jwt: JwtService,
    private readonly key: SessionKey,
    private readonly authenticator: Authenticator,
    private readonly rooms: Rooms,
    private readonly config: Config,
    private readonly audit: Audit,
    private readonly refusals: Refusals,
  ) {}

  /** The session, and the headers of the rate limit and the device cookie. */
  async login(
    { username, password }: Credentials,
    visitor: Visitor,
  ): Promise<{ session: Session; headers: Record<string, string> }> {
    const device = await this.devices.recognise(visitor.cookies, username);
    const left = await this.limit
      .take(username, visitor.network, device)
      .catch((error: unknown) => {
        this.refusals.login('auth.limited', undefined, visitor);
        throw error;
      });
    const user = await this.store.byUsername(username);
    if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
      this.refusals.login('auth.failed', user, visitor);
      throw new AppError('wrong_credentials', undefined, { headers: left });
    }
    const headers = await this.limit.succeeded(username, visitor.network, device);
    const cookie = await this.devices.remember(device, username);
    const { id: userId, passwordHash } = user;
    const origin = { userId, username: user.username, passwordHash };
    const { session } = await this.db.transaction(async () => {
      await this.audit.record({ actorId: userId, OwnerId: user.OwnerId });
      return this.open(origin, visitor, 'wrong_credentials');
    });
    return {
      session,
      headers: { ...headers, 'set-cookie': cookie },
    };
  }

  /** Replaces a valid session by a new one of the same sign-in. */
  renew(actor: Actor, visitor: Visitor): Promise<Session> {
    return this.db.transaction(async () => {
      const { userId, username, sessionId } = actor;
      const fresh = await this.open({ userId, username, replaces: sessionId }, visitor);
      const ended = await this.store.replace(sessionId, fresh.sessionId);
      // It ended concurrently.
      if (!ended.length) throw new AppError('session_ended');
      this.notifyEnded(ended);
      return fresh.session;
    });
  }

  /** Opens an impersonated session for a user of a lower level. Not possible from an impersonated session. */
  async loginAs(actor: Actor, userId: string, visitor: Visitor): Promise<Session> {
    refuseImpersonated(actor);
    const user = await this.store.within(actor.scope, userId);
    if (user.id === actor.userId) throw new AppError('conflict', 'You cannot sign in as yourself');
    if (!isBelow(user.level, actor.level)) throw new AppError('forbidden');
    return this.db.transaction(async () => {
      const visit = { action: 'loginAs', data: { actorId: actor.userId }, UserId: user.id };
      await this.telemetry.record({ ...visit, OwnerId: user.OwnerId }, visitor);
      await this.audit.record({ OwnerId: user.OwnerId, target: ['users', user.id] });
      const by = { id: actor.userId, sessionId: actor.sessionId };
      const { session } = await this.open(
        { userId: user.id, username: user.username, actor: by },
        visitor,
      );
      return session;
    });
  }

  /** An impersonated session can end only itself, not the user's own sessions. */
  logout(actor: Actor, everywhere: boolean): Promise<number> {
    return this.db.transaction(async () => {
      const ended =
        everywhere && !actor.actorId
          ? await this.store.revokeAll(actor.userId)
          : await this.store.revoke(actor.sessionId);
      await this.audit.record({ after: { everywhere, ended: ended.length } });
      return this.notifyEnded(ended);
    });
  }

  /** Ends all sessions of a user, after a password change or deactivation. Part of the caller's transaction. */
  async endAll(userId: string): Promise<void> {
    this.notifyEnded(await this.store.revokeAll(userId));
  }

  /** Verifies the actor's own password before sensitive changes. Failures count like failed logins. */
  async verifyOwnPassword(actor: Actor, password: string, visitor: Visitor): Promise<void> {
    const { userId, OwnerId, username } = actor;
    const { cookies, network } = visitor;
    const device = await this.devices.recognise(cookies, username);
    await this.limit.take(username, network, device);
    if (!(await verifyPassword(await this.store.passwordOf(userId), password))) {
      this.refusals.login('auth.failed', { id: userId, OwnerId }, visitor);
      throw invalid('password', 'wrong', 'The password is incorrect.');
    }
    await this.limit.succeeded(username, network, device);
  }

  /** Resets the failed attempts, after the user has proved its identity by a recovery key. */
  async resetAttempts(username: string, { cookies, network }: Visitor): Promise<void> {
    const device = await this.devices.recognise(cookies, username);
    await this.limit.resetAttempts(username, device ? [device, network] : [network]);
  }

  /** After the commit, all API processes drop cached actors and sockets of these sessions. */
  private notifyEnded(ids: string[]): number {
    this.db.afterCommit(() => {
      for (const id of ids) this.authenticator.invalidate(id);
      this.rooms.endSessions(ids);
    });
    return ids.length;
  }

  private async open(
    { username, ...origin }: Origin & { username: string },
    visitor: Visitor,
    refusal: ErrorCode = 'session_ended',
  ): Promise<{ sessionId: string; session: Session }> {
    const { SESSION_SECONDS: seconds, SESSION_DAYS: days } = this.config;
    const opened = await this.store.open(origin, visitor, { seconds, days });
    if (!opened) throw new AppError(refusal);
    const { userId } = origin;
    const key = await this.key.current();
    const exp = Math.floor(opened.expiresAt.getTime() / 1000);
    const token = await this.jwt.signAsync(
      { sub: userId, sid: opened.id, exp },
      { secret: key.secret, keyid: key.id, algorithm: 'HS256' },
    );
    return { sessionId: opened.id, session: { token, id: userId, username } };
  }
}
