import { Injectable } from '@nestjs/common';
import {
  can,
  ROLE_PERMISSIONS,
  type Invitation,
  type NewMember,
  type Permission,
  type Role,
} from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit, type AuditFact } from '../../core/audit/audit.ts';
import { rightsOf, type Actor } from '../../core/auth/actor.ts';
import { ApiTokensStore } from '../../core/auth/api-tokens.store.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { Owners } from '../../core/auth/owners.ts';
import { hashPassword, randomPassword } from '../../core/auth/passwords.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Rooms } from '../../core/events/rooms.ts';
import { Quotas } from '../../core/quotas.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { AuthService } from '../auth/auth.service.ts';
import { ConversationsService } from '../conversations/conversations.service.ts';
import { InvitationsService } from '../recovery/invitations.service.ts';
import { UsersService, type User } from '../users/users.service.ts';
import { MEMBERS_QUOTA, MembersStore, type MemberRow } from './members.store.ts';

/** Invitations by one account per hour. */
const LIMIT = 60;

type Given = Omit<NewMember, 'locale'>;

/** The team of an account. docs/decisions/125-members.md. */
@Injectable()
export class MembersService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: MembersStore,
    private readonly owners: Owners,
    private readonly users: UsersService,
    private readonly auth: AuthService,
    private readonly authenticator: Authenticator,
    private readonly tokens: ApiTokensStore,
    private readonly rooms: Rooms,
    private readonly conversations: ConversationsService,
    private readonly invitations: InvitationsService,
    private readonly quotas: Quotas,
    private readonly audit: Audit,
    private readonly events: Events,
    limits: RateLimits,
  ) {
    this.limit = limits.of('members', LIMIT, 3600);
  }

  find({ OwnerId }: Actor): Promise<MemberRow[]> {
    return this.store.find(OwnerId);
  }

  /** The member acts on the account alone, at the level of a customer: what the account does for others is not given on. */
  async create(
    actor: Actor,
    { email, role, firstName, lastName }: Given,
    locale: Locale,
  ): Promise<{ member: MemberRow; invitation: Invitation }> {
    const { OwnerId } = actor;
    await take(this.limit, OwnerId);
    // The member chooses another one by the link.
    const passwordHash = await unknownPassword();
    let invitation: Invitation;
    return this.change(actor, 'members.create', async () => {
      const given = { email, role, firstName, lastName };
      const { id } = await this.add(OwnerId, given, passwordHash, async (user) => {
        await this.audit.record({ target: ['users', user.id], after: { username: email, role } });
        invitation = await this.invitations.inviteNew(user, locale);
      });
      return { member: (await this.store.get(OwnerId, id))!, invitation };
    }).catch(ofEmail);
  }

  /** Adds whom an identity provider of the account signs in, in the caller's transaction, after `lock`. Throws `validation` if the e-mail is taken. */
  async join(
    OwnerId: string,
    given: Given,
    passwordHash: string,
    provider: string,
  ): Promise<{ id: string }> {
    if (!(await this.owners.holder(OwnerId))) throw new AppError('account_inactive');
    const { email: username, role } = given;
    return this.add(OwnerId, given, passwordHash, async ({ id }) => {
      const by = { action: 'members.create', actorId: id, OwnerId } as const;
      await this.audit.record({
        ...by,
        target: ['users', id],
        after: { username, role, provider },
      });
    }).catch(ofEmail);
  }

  /** Gives a member the role that its identity provider says, in the caller's transaction, after `lock`. False if it is none any longer. */
  async follow(OwnerId: string, id: string, role: Role): Promise<boolean> {
    const before = await this.store.get(OwnerId, id);
    if (!before || before.isHolder) return false;
    const by = { action: 'members.update', actorId: id, OwnerId } as const;
    await this.setRole(OwnerId, before, role, by);
    return true;
  }

  /** Changes of a team go one after the other, until the end of the caller's transaction. */
  lock(OwnerId: string): Promise<void> {
    return this.store.lock(OwnerId);
  }

  async invite(actor: Actor, id: string, locale: Locale): Promise<Invitation> {
    await take(this.limit, actor.OwnerId);
    return this.change(actor, 'members.create', async () => {
      const { username, email } = await this.member(actor, id);
      const invited = { id, username, data: { email } };
      const invitation = await this.invitations.inviteAgain(invited, locale);
      await this.audit.record({ target: ['users', id], after: { email: invitation.email } });
      return invitation;
    });
  }

  /** The role that the member has is no change. */
  update(actor: Actor, id: string, role: Role): Promise<MemberRow> {
    return this.change(actor, 'members.update', async () => {
      const before = await this.member(actor, id);
      await this.setRole(actor.OwnerId, before, role);
      return { ...before, role };
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.change(actor, 'members.remove', async () => {
      const { username, role } = await this.member(actor, id);
      await this.auth.endAll(id);
      const prefixes = await this.tokens.prefixesOf([id]);
      const tokens = await this.store.retire(id);
      await this.conversations.release(actor.OwnerId, id);
      await this.audit.record({ target: ['users', id], before: { username, role } });
      this.events.changed('users', 'removed', actor.OwnerId, id);
      if (tokens) this.events.counted('tokens', 'removed', actor.OwnerId, null, tokens);
      this.forget(prefixes, () => this.rooms.endSessions(prefixes));
      return { id };
    });
  }

  /** At the level of a customer, also in the account of a reseller or a manager. */
  private add(
    OwnerId: string,
    { email, role, firstName, lastName }: Given,
    passwordHash: string,
    then: (user: User) => Promise<void>,
  ): Promise<{ id: string }> {
    const places = { level: 'me', ResellerId: null, ManagerId: null } as const;
    const values = { ...places, OwnerId, role, isTest: false, settings: {}, passwordHash };
    return this.users.openFor(email, { email, firstName, lastName }, values, async (user) => {
      await this.quotas.check(MEMBERS_QUOTA, OwnerId);
      await then(user);
    });
  }

  /** `by`: who does it without a session. */
  private async setRole(
    OwnerId: string,
    { id, username, role: former }: MemberRow,
    role: Role,
    by: Pick<AuditFact, 'action' | 'actorId' | 'OwnerId'> = {},
  ): Promise<void> {
    if (former === role) return;
    await this.store.setRole(id, role);
    if (!ROLE_PERMISSIONS[role].includes('sendingsIncoming.get'))
      await this.conversations.release(OwnerId, id);
    const states = { before: { role: former }, after: { role } };
    await this.audit.record({ ...by, target: ['users', id], title: username, ...states });
    this.events.changed('users', 'updated', OwnerId, id);
    const ids = [...(await this.store.sessionsOf(id)), ...(await this.tokens.prefixesOf([id]))];
    this.forget(ids, () => this.rooms.recheck(ids));
  }

  /**
   * Changes of a team go one after the other, and each is allowed by the rights that the actor has then: who was just removed, or has another
   * role, changes nothing by a call that was on its way.
   */
  private change<T>(actor: Actor, permission: Permission, work: () => Promise<T>): Promise<T> {
    return this.db.transaction(async () => {
      await this.lock(actor.OwnerId);
      const holder = await this.owners.holder(actor.userId);
      if (!holder || !can(rightsOf(holder).permissions, permission))
        throw new AppError('forbidden', undefined, { payload: { permission } });
      return work();
    });
  }

  /** Another member. The holder has no role that could be taken from it, and nobody changes its own. */
  private async member({ OwnerId, userId }: Actor, id: string): Promise<MemberRow> {
    const row = await this.store.get(OwnerId, id);
    if (!row) throw notFound();
    if (row.isHolder) throw new AppError('forbidden', 'The holder of the account stays its owner');
    if (id === userId) throw new AppError('forbidden', 'Another owner changes your role');
    return row;
  }

  /** After the commit, by the ids of sessions and the prefixes of API tokens. */
  private forget(ids: string[], then: () => void): void {
    this.db.afterCommit(() => {
      for (const id of ids) this.authenticator.invalidate(id);
      then();
    });
  }
}

/** The hash of a password that nobody knows. */
export const unknownPassword = (): Promise<string> => hashPassword(randomPassword());

/** The e-mail is the name that is taken. */
function ofEmail(error: unknown): never {
  const [issue] = error instanceof AppError ? (error.detail.issues ?? []) : [];
  if (issue?.field === 'username') throw invalid('email', issue.rule, issue.message);
  throw error;
}
