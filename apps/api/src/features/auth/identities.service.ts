import { Injectable } from '@nestjs/common';
import type { Identity, identities, ResponseOf, Session } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { Refusals } from '../../core/audit/refusals.ts';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { MembersService, unknownPassword } from '../members/members.service.ts';
import { AuthService } from './auth.service.ts';
import { Devices } from './devices.ts';
import { IdentitiesStore, type SigningProvider } from './identities.store.ts';
import { OidcClient, type Confirmed, type Issuer } from './oidc-client.ts';
import { OidcVisits, type Visit } from './oidc-visits.ts';
import { SecondFactorService } from './second-factor.service.ts';
import { SecondFactors } from './second-factors.ts';
import { SecurityNotifications, type From } from './security-notifications.ts';
import { SessionsService } from './sessions.service.ts';

type Headers = Record<string, string>;
interface SignedIn {
  session: Session;
  headers: Headers;
}

/**
 * Identities of users at providers of OpenID Connect, which stand for the password, and for the second factor where the provider is trusted
 * with it. A person is known by the provider and its `sub`, never by an e-mail, which others may hold later. The provider of an account may
 * make people members of it (docs/decisions/162-members-by-identity-providers.md).
 */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly db: Db,
    private readonly store: IdentitiesStore,
    private readonly client: OidcClient,
    private readonly visits: OidcVisits,
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly members: MembersService,
    private readonly devices: Devices,
    private readonly factor: SecondFactorService,
    private readonly factors: SecondFactors,
    private readonly notifications: SecurityNotifications,
    private readonly audit: Audit,
    private readonly refusals: Refusals,
    private readonly clock: Clock,
  ) {}

  async find({ userId }: Actor): Promise<ResponseOf<typeof identities.find>> {
    const [linked, providers] = await Promise.all([
      this.store.list(userId),
      this.store.providersFor(userId),
    ]);
    return { identities: linked, providers };
  }

  /** The page of the provider for a user who links, for the password and, while the second factor is on, a code. */
  async begin(
    actor: Actor,
    id: string,
    { password, code }: { password: string; code?: string | undefined },
    from: From,
  ): Promise<{ url: string; headers: Headers }> {
    const { userId } = actor;
    const provider = await this.store.providerFor(userId, id);
    if (!provider) throw notFound();
    const use = await this.factor.prove(actor, password, code, from);
    await this.db.transaction(use);
    return this.visit(provider, userId);
  }

  async create(actor: Actor, id: string, answer: string, from: From): Promise<Identity> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    const provider = await this.store.providerFor(userId, id);
    if (!provider) throw notFound();
    const visit = await this.visits.find(from.visitor.cookies, id, userId);
    const confirmed = await this.confirmedBy(provider, visit, answer);
    if (!visit || !confirmed) throw new AppError('wrong_identity');
    return this.db.transaction(async () => {
      const added = await this.store.add(userId, id, confirmed, new Date(visit.begunAt));
      if (!added) throw new AppError('conflict', 'The identity or the user is linked already');
      await this.record(actor, 'AuthIdentityAdded', added, from);
      const target = ['identities', added.id] as const;
      await this.audit.record({ OwnerId, target, after: audited(added) });
      return added;
    });
  }

  async remove(actor: Actor, id: string, from: From): Promise<void> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    await this.db.transaction(async () => {
      const removed = await this.store.remove(userId, id);
      if (!removed) throw notFound();
      // Without it who is removed from the team later would be let in as somebody new.
      if (removed.isManaged)
        throw new AppError('forbidden', 'The provider manages the member, and keeps the identity');
      await this.record(actor, 'AuthIdentityRemoved', removed, from);
      await this.audit.record({ OwnerId, target: ['identities', id], before: audited(removed) });
    });
  }

  /** The page of the provider for a visitor who signs in. */
  async start(id: string): Promise<{ url: string; headers: Headers }> {
    const provider = await this.store.provider(id);
    if (!provider) throw notFound();
    return this.visit(provider, null);
  }

  /**
   * Throws `wrong_identity`, `identity_required`, `unknown_identity` or `second_factor_required`; for whom the provider makes a member also
   * `account_inactive` or `quota_exceeded`.
   */
  async signIn(id: string, answer: string, from: From): Promise<SignedIn> {
    const provider = await this.store.provider(id);
    if (!provider) throw notFound();
    const visit = await this.visits.find(from.visitor.cookies, id, null);
    const confirmed = await this.confirmedBy(provider, visit, answer);
    if (!visit || !confirmed) throw this.refused('wrong_identity', undefined, from);
    if (provider.isRequired) await this.adopt(provider, confirmed, from);
    const joined = await this.join(provider, visit, confirmed, from);
    return joined ?? this.open(visit, confirmed, undefined, from);
  }

  /** Ends the sessions that a user had when it signed out at the provider; the number of those. */
  async logout(id: string, token: string): Promise<number> {
    const provider = await this.store.provider(id);
    if (!provider) throw notFound();
    const signedOut = await this.client.signedOut(provider, token);
    if (!signedOut) throw new AppError('bad_request', 'The logout token is not valid');
    const user = await this.store.bySubject(id, signedOut.subject);
    if (!user) return 0;
    const { userId, OwnerId } = user;
    return this.db.transaction(async () => {
      const ended = await this.sessions.endAll(userId, signedOut.at);
      const by = { action: 'auth.logout', actorId: userId, OwnerId } as const;
      if (ended) await this.audit.record({ ...by, after: { ended, provider: provider.title } });
      return ended;
    });
  }

  /** Goes on with a code after `second_factor_required`. */
  async confirm(id: string, code: string, from: From): Promise<SignedIn> {
    const visit = await this.visits.find(from.visitor.cookies, id, null);
    if (!visit?.confirmed) throw this.refused('wrong_identity', undefined, from);
    return this.open(visit, visit.confirmed, code, from);
  }

  /**
   * Links the member who has the e-mail of a person to it. Where the provider is the only way in the member cannot do that itself, and the
   * provider speaks for the team. The visit is still to be used, after a code where one is asked for.
   */
  private async adopt(
    { id, AccountId }: SigningProvider,
    confirmed: Confirmed,
    from: From,
  ): Promise<void> {
    const { email, changedAt } = confirmed;
    if (!AccountId || !email) return;
    await this.db.transaction(async () => {
      await this.members.lock(AccountId);
      const userId = await this.store.unlinkedMember(AccountId, id, email);
      if (!userId) return;
      if (!(await this.store.isUnchanged(id, changedAt))) throw new AppError('wrong_identity');
      const added = await this.store.add(userId, id, confirmed, new Date(0), true);
      // The person is linked to another user.
      if (!added) return;
      await this.record({ userId }, 'AuthIdentityAdded', added, from);
      const by = { action: 'identities.create', actorId: userId, OwnerId: AccountId } as const;
      await this.audit.record({ ...by, target: ['identities', added.id], after: audited(added) });
    });
  }

  /** Makes a person whom nobody is linked to a member of the provider's account, and signs it in; null if it does not become one. */
  private async join(
    { id, title, AccountId }: SigningProvider,
    { begunAt }: Visit,
    confirmed: Confirmed,
    from: From,
  ): Promise<SignedIn | null> {
    const { subject, email, role, changedAt } = confirmed;
    if (!AccountId || !role || !email || (await this.store.isLinked(id, subject))) return null;
    const passwordHash = await unknownPassword();
    const join = async () => {
      await this.members.lock(AccountId);
      // Meanwhile, by another sign-in.
      if (await this.store.isLinked(id, subject)) return null;
      if (!(await this.store.isUnchanged(id, changedAt))) throw new AppError('wrong_identity');
      const member = await this.members.join(AccountId, { email, role }, passwordHash, title);
      const begun = new Date(begunAt);
      if (!(await this.store.addManaged(member.id, id, confirmed, begun, this.clock.now())))
        throw new AppError('wrong_identity');
      const user = (await this.store.bySubject(id, subject))!;
      const use = () => Promise.resolve(true);
      return this.auth.signInVerified(user, from, {
        ProviderId: id,
        refusal: 'wrong_identity',
        use,
      });
    };
    return this.db.transaction(join).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      // A user who holds the e-mail may be somebody else.
      const isTaken = error.code === 'validation';
      this.refusals.login('auth.failed', undefined, from.visitor);
      throw isTaken ? new AppError('unknown_identity') : error;
    });
  }

  private async open(
    { ProviderId, begunAt }: Visit,
    confirmed: Confirmed,
    code: string | undefined,
    from: From,
  ): Promise<SignedIn> {
    const user = await this.store.bySubject(ProviderId, confirmed.subject);
    if (!user) throw this.refused('unknown_identity', undefined, from);
    const { userId, OwnerId, username } = user;
    const refused = (reason: 'wrong_identity' | 'unknown_identity' | 'wrong_code') =>
      this.refused(reason, { id: userId, OwnerId }, from);
    const { subject, name, role, changedAt } = confirmed;
    if (user.isManaged && !role) throw refused('unknown_identity');
    const factor = await this.factors.of(userId);
    const isAsked = factor && !user.trustsSecondFactor;
    if (isAsked && code === undefined) {
      const kept = { subject, name, role, changedAt };
      const visit = { ProviderId, userId: null, begunAt, confirmed: kept };
      const headers = await this.visits.keep(visit);
      throw new AppError('second_factor_required', undefined, { headers });
    }
    const device = await this.devices.recognise(from.visitor.cookies, username);
    const proof = isAsked ? await this.factors.check(userId, factor, code!, device) : undefined;
    if (proof === null) throw refused('wrong_code');
    const signedIn = await this.auth.signInVerified(user, from, {
      proof,
      // Of a trusted provider it does not matter.
      hasSecondFactor: user.trustsSecondFactor ? undefined : proof !== undefined,
      ProviderId,
      refusal: 'wrong_identity',
      use: async () => {
        // Before the identity, as those do who remove the member.
        if (user.isManaged) {
          await this.members.lock(OwnerId);
          if (!(await this.store.isUnchanged(ProviderId, changedAt))) return false;
        }
        if (!(await this.store.use(user.id, new Date(begunAt), this.clock.now()))) return false;
        return !user.isManaged || this.members.follow(OwnerId, userId, role!);
      },
    });
    if (!signedIn) throw refused('wrong_identity');
    return signedIn;
  }

  private async visit(
    provider: Issuer,
    userId: string | null,
  ): Promise<{ url: string; headers: Headers }> {
    const { url, asked } = await this.client.begin(provider);
    return { url, headers: await this.visits.keep({ ProviderId: provider.id, userId, asked }) };
  }

  private async confirmedBy(
    provider: Issuer,
    visit: Visit | null,
    answer: string,
  ): Promise<Confirmed | null> {
    if (!visit?.asked) return null;
    return this.client.finish(provider, answer, visit.asked);
  }

  private refused(
    reason: 'wrong_identity' | 'unknown_identity' | 'wrong_code',
    user: { id: string; OwnerId: string } | undefined,
    { visitor }: From,
  ): AppError {
    this.refusals.login('auth.failed', user, visitor);
    return new AppError(reason);
  }

  private record(
    { userId }: Pick<Actor, 'userId'>,
    type: 'AuthIdentityAdded' | 'AuthIdentityRemoved',
    { name, provider }: Identity,
    from: From,
  ): Promise<void> {
    return this.notifications.notify(userId, type, from, {
      identity: name,
      provider: provider.title,
    });
  }
}

/** For the audit log. */
const audited = ({ name, provider }: Identity) => ({ name, provider: provider.title });
