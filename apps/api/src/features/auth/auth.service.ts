import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import {
  isBelow,
  type Credentials,
  type ErrorCode,
  type OfferedProvider,
  type Session,
} from '@heliograph/contract';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Refusals } from '../../core/audit/refusals.ts';
import { verifyPassword } from '../../core/auth/passwords.ts';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { TelemetryService } from '../telemetry/telemetry.service.ts';
import { AuthStore, type Origin, type WithPassword } from './auth.store.ts';
import { Devices } from './devices.ts';
import { LoginLimit } from './login-limit.ts';
import { NewDevices } from './new-devices.ts';
import { SecondFactors, type Proof } from './second-factors.ts';
import { SecurityNotifications, type From } from './security-notifications.ts';
import { SessionsService } from './sessions.service.ts';
import { SessionsStore } from './sessions.store.ts';

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
    private readonly sessions: SessionsService,
    private readonly sessionStore: SessionsStore,
    private readonly factors: SecondFactors,
    private readonly newDevices: NewDevices,
    private readonly notifications: SecurityNotifications,
    private readonly config: Config,
    private readonly audit: Audit,
    private readonly refusals: Refusals,
  ) {}

  /** The session, and the headers of the rate limit and the device cookie. */
  async login(
    { username, password, code }: Credentials,
    from: From,
  ): Promise<{ session: Session; headers: Record<string, string> }> {
    const { visitor } = from;
    const device = await this.devices.recognise(visitor.cookies, username);
    const headers = await this.limit
      .take(username, visitor.network, device)
      .catch((error: unknown) => {
        this.refusals.login('auth.limited', undefined, visitor);
        throw error;
      });
    const user = await this.store.byUsername(username);
    const isRight = await verifyPassword(user?.passwordHash, password);
    const refuse = (reason: ErrorCode) => {
      this.refusals.login('auth.failed', user, visitor);
      return new AppError(reason, undefined, { headers });
    };
    // A code is looked at only after a right password, so that it reveals nothing about other passwords.
    if (!isRight || !user) throw refuse('wrong_credentials');
    const required = await this.requiredProvider(user.id);
    if (required) {
      const left = await this.limit.giveBack(username, visitor.network, device);
      throw identityRequired(required, left);
    }
    const factor = await this.factors.of(user.id);
    if (factor && code === undefined) {
      const left = await this.limit.giveBack(username, visitor.network, device);
      throw new AppError('second_factor_required', undefined, { headers: left });
    }
    const proof = factor ? await this.factors.check(user.id, factor, code!, device) : undefined;
    if (proof === null) throw refuse('wrong_code');
    const isNew = await this.newDevices.isNew(user.id, device, visitor);
    const session = await this.db.transaction(() => this.signIn(user, { proof, isNew }, from));
    if (!session) throw refuse('wrong_code');
    if (proof) await this.factors.succeeded(user.id, device);
    const left = await this.limit.succeeded(username, visitor.network, device);
    const cookie = await this.devices.remember(device, username);
    return { session, headers: { ...left, 'set-cookie': cookie } };
  }

  /** Uses the code and opens the session, in the caller's transaction. Null if the code was used before. */
  private async signIn(
    { id: userId, OwnerId, username, passwordHash }: WithPassword,
    { proof, isNew }: { proof?: Proof; isNew: boolean },
    from: From,
  ): Promise<Session | null> {
    if (proof && !(await this.use(userId, OwnerId, proof, from))) return null;
    await this.recordSignIn(userId, OwnerId, isNew, from);
    const origin = { userId, username, passwordHash, hasSecondFactor: proof !== undefined };
    const { session } = await this.open(origin, from.visitor, 'wrong_credentials');
    return session;
  }

  /** Uses a code up, in the caller's transaction. False if it was used before. */
  private async use(userId: string, OwnerId: string, proof: Proof, from: From): Promise<boolean> {
    if (!(await this.factors.use(userId, proof))) return false;
    if ('hash' in proof) await this.recoveryCodeUsed(userId, OwnerId, from);
    return true;
  }

  /**
   * Signs in a user whom a passkey or an identity provider has verified, in place of the password. `use` uses that up in the transaction of
   * the session, as a code of the second factor is (`proof`); null if that was done before. Throws `identity_required`.
   */
  async signInVerified(
    { userId, OwnerId, username }: { userId: string; OwnerId: string; username: string },
    from: From,
    {
      use,
      proof,
      hasSecondFactor,
      ProviderId,
      refusal,
    }: {
      use: () => Promise<boolean>;
      proof?: Proof | undefined;
      /** Refuses the user if its second factor was turned on or off meanwhile. */
      hasSecondFactor?: boolean | undefined;
      /** The identity provider that has verified the user. */
      ProviderId?: string;
      refusal: ErrorCode;
    },
  ): Promise<{ session: Session; headers: Record<string, string> } | null> {
    const { visitor } = from;
    const required = await this.requiredProvider(userId, ProviderId);
    if (required) throw identityRequired(required);
    const device = await this.devices.recognise(visitor.cookies, username);
    const isNew = await this.newDevices.isNew(userId, device, visitor);
    const session = await this.db.transaction(async () => {
      if (!(await use())) return null;
      if (proof && !(await this.use(userId, OwnerId, proof, from))) {
        this.refusals.login('auth.failed', { id: userId, OwnerId }, visitor);
        // Undoes `use`: another code may follow.
        throw new AppError('wrong_code');
      }
      await this.recordSignIn(userId, OwnerId, isNew, from);
      const origin = { userId, username, hasSecondFactor, ProviderId };
      return (await this.open(origin, visitor, refusal)).session;
    });
    if (!session) return null;
    if (proof) await this.factors.succeeded(userId, device);
    const cookie = await this.devices.remember(device, username);
    return { session, headers: { 'set-cookie': cookie } };
  }

  /** Through which the user has to sign in instead. `ProviderId` is that by which it does. */
  private async requiredProvider(
    userId: string,
    ProviderId?: string,
  ): Promise<OfferedProvider | undefined> {
    const required = await this.store.requiredProviders(userId);
    return required.some(({ id }) => id === ProviderId) ? undefined : required[0];
  }

  private async recordSignIn(
    userId: string,
    OwnerId: string,
    isNew: boolean,
    from: From,
  ): Promise<void> {
    await this.audit.record({ actorId: userId, OwnerId });
    if (!isNew) return;
    const place = await this.store.placeOf(OwnerId, userId, from.visitor.ip);
    await this.notifications.notify(userId, 'AuthNewDevice', from, { place });
  }

  private async recoveryCodeUsed(userId: string, OwnerId: string, from: From): Promise<void> {
    const left = await this.factors.codesLeft(userId);
    const action = 'secondFactor.useRecoveryCode';
    const target = ['users', userId] as const;
    await this.audit.record({ action, actorId: userId, OwnerId, target, after: { left } });
    await this.notifications.notify(userId, 'AuthRecoveryCodeUsed', from, { left });
  }

  /** Replaces a valid session by a new one of the same sign-in. */
  renew(actor: Actor, visitor: Visitor): Promise<Session> {
    return this.db.transaction(async () => {
      const { userId, username, sessionId } = actor;
      const fresh = await this.open({ userId, username, replaces: sessionId }, visitor);
      const ended = await this.sessionStore.replace(userId, sessionId, fresh.sessionId);
      // It ended concurrently.
      if (!ended.length) throw new AppError('session_ended');
      this.sessions.notifyEnded(ended);
      return fresh.session;
    });
  }

  /** Opens an impersonated session for a user of a lower level. Not possible from an impersonated session. */
  async loginAs(actor: Actor, userId: string, visitor: Visitor): Promise<Session> {
    refuseImpersonated(actor);
    const user = await this.store.within(actor.scope, userId);
    if (user.id === actor.userId) throw new AppError('conflict', 'You cannot sign in as yourself');
    if (!isBelow(user.level, actor.level))
      throw new AppError('forbidden', 'You can sign in only as a user of a lower level');
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

  /** Ends all sessions of a user, after a password change or deactivation. Part of the caller's transaction. */
  async endAll(userId: string): Promise<void> {
    await this.sessions.endAll(userId);
  }

  /** Ends all sessions of the actor and returns a successor of its own one. Part of the caller's transaction. */
  async replaceAll({ userId, username, sessionId }: Actor, visitor: Visitor): Promise<Session> {
    const ended = await this.sessionStore.endAll(userId);
    // It ended concurrently.
    if (!ended.some(({ id }) => id === sessionId)) throw new AppError('session_ended');
    const { session } = await this.open({ userId, username, replaces: sessionId }, visitor);
    this.sessions.notifyEnded(ended);
    return session;
  }

  /**
   * Verifies the actor's own password before sensitive changes and returns its hash. Failures count like failed logins.
   * `field` is the field of the password in the request.
   */
  async verifyOwnPassword(
    actor: Actor,
    password: string,
    visitor: Visitor,
    field = 'password',
  ): Promise<string> {
    const { userId, OwnerId, username } = actor;
    const { cookies, network } = visitor;
    const device = await this.devices.recognise(cookies, username);
    await this.limit.take(username, network, device);
    const stored = await this.store.passwordOf(userId);
    if (!(await verifyPassword(stored, password)) || !stored) {
      this.refusals.login('auth.failed', { id: userId, OwnerId }, visitor);
      throw invalid(field, 'wrong', 'The password is incorrect.');
    }
    await this.limit.succeeded(username, network, device);
    return stored;
  }

  /** Resets the failed attempts, after the user has proved its identity by a recovery key. */
  async resetAttempts(username: string, { cookies, network }: Visitor): Promise<void> {
    const device = await this.devices.recognise(cookies, username);
    await this.limit.resetAttempts(username, device ? [device, network] : [network]);
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
    this.sessions.notifyOpened(userId);
    const key = await this.key.current();
    const exp = Math.floor(opened.expiresAt.getTime() / 1000);
    const token = await this.jwt.signAsync(
      { sub: userId, sid: opened.id, exp },
      { secret: key.secret, keyid: key.id, algorithm: 'HS256' },
    );
    return { sessionId: opened.id, session: { token, id: userId, username } };
  }
}

const identityRequired = (provider: OfferedProvider, headers?: Record<string, string>): AppError =>
  new AppError('identity_required', undefined, {
    payload: { provider },
    ...(headers && { headers }),
  });
