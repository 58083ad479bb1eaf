import { Injectable } from '@nestjs/common';
import {
  isBelow,
  type RecoveryCodes,
  type SecondFactorSetup,
  type SecondFactorState,
} from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { AuthService } from './auth.service.ts';
import { AuthStore } from './auth.store.ts';
import { Devices } from './devices.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { hashRecoveryCode, newRecoveryCodes, newSalt, recoveryCodeOf } from './recovery-codes.ts';
import { SecondFactorStore, type StoredFactor } from './second-factor.store.ts';
import { purposeOf, SecondFactors } from './second-factors.ts';
import { SecurityNotifications, type From } from './security-notifications.ts';
import { newTotpSecret, totpUrl } from './totp.ts';

/** A setup expires after this time. */
const SETUP_SECONDS = 1800;

/** Turning the second factor on and off. Changes need the password of the actor and, while it is on, a code. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly db: Db,
    private readonly store: SecondFactorStore,
    private readonly factors: SecondFactors,
    private readonly auth: AuthService,
    private readonly users: AuthStore,
    private readonly devices: Devices,
    private readonly box: SecretBox,
    private readonly notifications: SecurityNotifications,
    private readonly authenticator: Authenticator,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly brands: BrandsService,
  ) {}

  async stateOf({ userId, level }: Actor): Promise<SecondFactorState> {
    const factor = await this.factors.of(userId);
    return {
      isEnabled: factor !== undefined,
      enabledAt: factor?.enabledAt?.toISOString() ?? null,
      codesLeft: factor ? await this.store.codesLeft(userId) : 0,
      isRequired: this.config.SECOND_FACTOR_REQUIRED.includes(level),
    };
  }

  async setUp(actor: Actor, password: string, { visitor }: From): Promise<SecondFactorSetup> {
    refuseImpersonated(actor);
    await this.auth.verifyOwnPassword(actor, password, visitor);
    const { userId, username } = actor;
    const secret = newTotpSecret();
    const sealed = await this.box.seal(secret, purposeOf(userId));
    if (!(await this.store.begin(userId, sealed, newSalt(), this.clock.now())))
      throw new AppError('conflict', 'The two-factor sign-in is already on');
    const { title } = await this.brands.ofUser(userId);
    const url = totpUrl(secret, title, username);
    return { secret, url, expiresIn: SETUP_SECONDS };
  }

  async enable(actor: Actor, code: string, from: From): Promise<RecoveryCodes> {
    refuseImpersonated(actor);
    const { userId } = actor;
    const factor = await this.store.of(userId);
    const now = this.clock.now();
    if (!factor || factor.enabledAt || isExpired(factor, now)) throw notFound();
    const proof = await this.factors.check(userId, factor, code, null);
    if (!proof || !('step' in proof)) throw wrongCode();
    const { codes, hashes } = await codesFor(factor);
    await this.db.transaction(async () => {
      if (!(await this.store.enable(userId, factor.secret, proof.step, now)))
        throw new AppError('conflict');
      await this.store.replaceCodes(userId, hashes);
      await this.record(actor, 'AuthSecondFactorEnabled', from);
    });
    await this.factors.succeeded(userId, null);
    return { codes };
  }

  async disable(actor: Actor, password: string, code: string, from: From): Promise<void> {
    const use = await this.prove(actor, password, code, from);
    await this.db.transaction(async () => {
      await use();
      if (!(await this.store.remove(actor.userId))) throw notFound();
      await this.record(actor, 'AuthSecondFactorDisabled', from);
    });
  }

  async replaceCodes(
    actor: Actor,
    password: string,
    code: string,
    from: From,
  ): Promise<RecoveryCodes> {
    const use = await this.prove(actor, password, code, from);
    const factor = await this.factors.of(actor.userId);
    if (!factor) throw notFound();
    const { codes, hashes } = await codesFor(factor);
    await this.db.transaction(async () => {
      await use();
      await this.store.replaceCodes(actor.userId, hashes);
      const { userId, OwnerId } = actor;
      await this.audit.record({ OwnerId, target: ['users', userId] });
    });
    return { codes };
  }

  /** Turns off the second factor of a user of a lower level who has lost it. */
  async reset(actor: Actor, id: string, password: string, from: From): Promise<void> {
    refuseImpersonated(actor);
    const user = await this.users.within(actor.scope, id);
    if (actor.userId !== actor.OwnerId || !isBelow(user.level, actor.level))
      throw new AppError(
        'forbidden',
        'Only an account holder of a higher level can turn off the second factor of a user',
      );
    await this.auth.verifyOwnPassword(actor, password, from.visitor);
    await this.db.transaction(async () => {
      if (!(await this.store.remove(id)))
        throw new AppError('conflict', 'The user has no second factor');
      await this.audit.record({ OwnerId: user.OwnerId, target: ['users', id] });
      await this.notifications.notify(id, 'AuthSecondFactorReset', from, { by: actor.username });
    });
  }

  /**
   * Checks the password and, while the second factor is on, a code; the result uses the code up, in the caller's transaction. For changes
   * of the ways to sign in.
   */
  async prove(
    actor: Actor,
    password: string,
    code: string | undefined,
    { visitor }: From,
  ): Promise<() => Promise<void>> {
    refuseImpersonated(actor);
    const { userId, username } = actor;
    await this.auth.verifyOwnPassword(actor, password, visitor);
    const factor = await this.factors.of(userId);
    if (!factor) return () => Promise.resolve();
    if (code === undefined)
      throw invalid('code', 'required', 'A code of the second factor is required.');
    const device = await this.devices.recognise(visitor.cookies, username);
    const proof = await this.factors.check(userId, factor, code, device);
    if (!proof) throw wrongCode();
    return async () => {
      if (!(await this.factors.use(userId, proof))) throw wrongCode();
      this.db.afterCommit(() => void this.factors.succeeded(userId, device).catch(() => undefined));
    };
  }

  /** In the transaction of the change. */
  private async record(
    { userId, OwnerId, sessionId }: Actor,
    type: 'AuthSecondFactorEnabled' | 'AuthSecondFactorDisabled',
    from: From,
  ): Promise<void> {
    await this.audit.record({ OwnerId, target: ['users', userId] });
    await this.notifications.notify(userId, type, from);
    // Whether it must be set up is part of the cached actor.
    this.db.afterCommit(() => this.authenticator.invalidate(sessionId));
  }
}

const isExpired = ({ createdAt }: StoredFactor, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > SETUP_SECONDS * 1000;

/** New recovery codes with their hashes. Must not run inside a transaction. */
async function codesFor({ salt }: StoredFactor): Promise<{ codes: string[]; hashes: Buffer[] }> {
  const codes = newRecoveryCodes();
  const hashes: Buffer[] = [];
  for (const code of codes) hashes.push(await hashRecoveryCode(recoveryCodeOf(code)!, salt));
  return { codes, hashes };
}

const wrongCode = () => invalid('code', 'code_wrong', 'The code is wrong or was already used.');
