import { Injectable } from '@nestjs/common';
import type {
  NewCredential,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Session,
  SignedCredential,
} from '@heliograph/contract';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Refusals } from '../../core/audit/refusals.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Quotas } from '../../core/quotas.ts';
import { AuthService } from './auth.service.ts';
import { CHALLENGE_MS, PasskeyChallenges } from './passkey-challenges.ts';
import {
  PASSKEYS_QUOTA,
  PasskeysStore,
  type NewPasskey,
  type StoredPasskey,
} from './passkeys.store.ts';
import { SecondFactorService } from './second-factor.service.ts';
import { SecurityNotifications, type From } from './security-notifications.ts';

/** ES256, EdDSA and RS256, as authenticators have them (COSE). */
const ALGORITHMS = [-7, -8, -257];
const SIGN_IN = 'sign-in';
const creationFor = (userId: string): string => `of ${userId}`;
/** Loaded with the first passkey: it brings readers of certificates along. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * Passkeys of users. The device verifies the person by a fingerprint, a face or a PIN, so a passkey stands for the password and the second
 * factor. Source: Web Authentication, level 3, 7.1 and 7.2.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly db: Db,
    private readonly store: PasskeysStore,
    private readonly challenges: PasskeyChallenges,
    private readonly auth: AuthService,
    private readonly factor: SecondFactorService,
    private readonly notifications: SecurityNotifications,
    private readonly quotas: Quotas,
    private readonly audit: Audit,
    private readonly refusals: Refusals,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  list({ userId }: Actor): Promise<Passkey[]> {
    return this.store.list(userId);
  }

  /** Options for a new passkey, for the password and, while the second factor is on, a code. */
  async begin(
    actor: Actor,
    { password, code }: { password: string; code?: string | undefined },
    from: From,
  ): Promise<PasskeyCreation> {
    const host = this.host();
    const use = await this.factor.prove(actor, password, code, from);
    await this.db.transaction(use);
    const { userId, username } = actor;
    const devices = await this.store.credentialsOf(userId);
    return {
      challenge: await this.challenges.issue(creationFor(userId)),
      rp: { id: host, name: this.config.TITLE },
      user: {
        id: Buffer.from(userId).toString('base64url'),
        name: username,
        displayName: username,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_MS,
      attestation: 'none',
      excludeCredentials: devices.map((device) => ({ ...device, type: 'public-key' })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    };
  }

  async create(
    actor: Actor,
    { title, credential }: { title: string; credential: NewCredential },
    from: From,
  ): Promise<Passkey> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    const given = await this.verifyNew(userId, title, credential);
    return this.db.transaction(async () => {
      const added = await this.store.add(userId, given);
      if (!added) throw new AppError('conflict', 'The passkey is there already');
      await this.quotas.check(PASSKEYS_QUOTA, userId);
      await this.audit.record({ OwnerId, target: ['passkeys', added.id], after: { title } });
      await this.notifications.notify(userId, 'AuthPasskeyAdded', from, { passkey: title });
      return added;
    });
  }

  private async verifyNew(
    userId: string,
    title: string,
    credential: NewCredential,
  ): Promise<NewPasskey> {
    const host = this.host();
    let challengedAt: Date | null = null;
    const { verifyRegistrationResponse } = await webauthn();
    const verified = await verifyRegistrationResponse({
      response: webauthnOf(credential),
      expectedChallenge: async (challenge) => {
        challengedAt = await this.challenges.issuedAt(challenge, creationFor(userId));
        return challengedAt !== null;
      },
      expectedOrigin: new URL(this.config.publicUrl).origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => undefined);
    if (!verified?.verified || !challengedAt)
      throw invalid('credential', 'wrong', 'The passkey does not answer the challenge.');
    const { credential: key, credentialBackedUp } = verified.registrationInfo;
    return {
      title,
      credentialId: key.id,
      publicKey: key.publicKey,
      signCount: key.counter,
      transports: credential.transports ?? [],
      isSynced: credentialBackedUp,
      challengedAt,
    };
  }

  async rename(actor: Actor, id: string, title: string): Promise<Passkey> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    return this.db.transaction(async () => {
      const renamed = await this.store.rename(userId, id, title);
      if (!renamed) throw notFound();
      await this.audit.record({ OwnerId, target: ['passkeys', id], after: { title } });
      return renamed;
    });
  }

  async remove(actor: Actor, id: string, from: From): Promise<void> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    await this.db.transaction(async () => {
      const removed = await this.store.remove(userId, id);
      if (!removed) throw notFound();
      const { title } = removed;
      await this.audit.record({ OwnerId, target: ['passkeys', id], before: { title } });
      await this.notifications.notify(userId, 'AuthPasskeyRemoved', from, { passkey: title });
    });
  }

  /** Options for a sign-in with any passkey that the visitor has of this installation. */
  async signInOptions(): Promise<PasskeyRequest> {
    const rpId = this.host();
    const challenge = await this.challenges.issue(SIGN_IN);
    return { challenge, rpId, timeout: CHALLENGE_MS, userVerification: 'required' };
  }

  /** The session, and the cookie that remembers the device. Throws `wrong_passkey`. */
  async signIn(
    credential: SignedCredential,
    from: From,
  ): Promise<{ session: Session; headers: Record<string, string> }> {
    const host = this.host();
    const stored = await this.store.byCredential(credential.id);
    const used = stored && (await this.verify(host, stored, credential));
    const signedIn =
      used &&
      (await this.auth.signInVerified(stored, from, {
        use: () => this.store.use(stored.id, used),
        refusal: 'wrong_passkey',
      }));
    if (signedIn) return signedIn;
    const user = stored && { id: stored.userId, OwnerId: stored.OwnerId };
    this.refusals.login('auth.failed', user, from.visitor);
    throw new AppError('wrong_passkey');
  }

  /** What a right signature uses up; null for a wrong one. */
  private async verify(
    host: string,
    { publicKey, signCount }: StoredPasskey,
    credential: SignedCredential,
  ): Promise<{ challengedAt: Date; signCount: number; now: Date } | null> {
    let challengedAt: Date | null = null;
    const { verifyAuthenticationResponse } = await webauthn();
    const verified = await verifyAuthenticationResponse({
      response: webauthnOf(credential),
      expectedChallenge: async (challenge) => {
        challengedAt = await this.challenges.issuedAt(challenge, SIGN_IN);
        return challengedAt !== null;
      },
      expectedOrigin: new URL(this.config.publicUrl).origin,
      expectedRPID: host,
      credential: { id: credential.id, publicKey: Uint8Array.from(publicKey), counter: signCount },
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!verified?.verified || !challengedAt) return null;
    return {
      challengedAt,
      signCount: verified.authenticationInfo.newCounter,
      now: this.clock.now(),
    };
  }

  private host(): string {
    const host = this.config.passkeyHost;
    if (host === null) throw notFound();
    return host;
  }
}

/** In the JSON of WebAuthn. */
const webauthnOf = <T extends { id: string }>({ id, ...response }: T) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
  response,
});
