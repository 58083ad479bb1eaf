import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  isBelow,
  type Level,
  type Page,
  type Registration,
  type User as Wire,
  type users,
} from '@heliograph/contract';
import { accountCountry, normalizePhone, type Locale } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { AuthService } from '../auth/auth.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { EmailChangesService } from './email-changes.service.ts';
import { identityChange } from './identity-change.ts';
import { present, type User } from './user.entity.ts';
import { UsersStore } from './users.store.ts';

type Changes = Omit<In<typeof users.update>['body'], 'locale'>;
type Data = NonNullable<Changes['data']>;
/** Whence a change is asked for, and the language of its letters. */
type From = { locale: Locale; visitor: Visitor };
type NewAccount = Omit<Registration, 'password'> & { passwordHash: string };

@Injectable()
export class UsersService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: UsersStore,
    private readonly auth: AuthService,
    private readonly emails: EmailChangesService,
    private readonly audit: Audit,
    private readonly events: Events,
    private readonly settings: SettingsService,
  ) {}

  onModuleInit(): void {
    const load = (ids: string[]) => this.store.byIds(systemScope, ids);
    this.events.present('users', load, (row, level) => this.present(row, level));
  }

  present(row: User, level: Level): Wire {
    return { ...present(row, level), currency: this.settings.currency(row.currency) };
  }

  /** Phones are read as the account writes them that looks for them. */
  async find(actor: Actor, query: In<typeof users.find>['query']): Promise<Page<User>> {
    return this.store.find(actor.scope, query, await this.settings.countryOf(actor.OwnerId));
  }

  /** A new account holder, kept by whom its referral code names. `then` gives it what an account has, in one transaction. */
  async open(account: NewAccount, then: (user: User) => Promise<void>): Promise<{ id: string }> {
    const id = uuidv7();
    const { username, passwordHash } = account;
    const data = merged({}, withPhone(ofRegistration(account), account.data.country ?? undefined));
    const open = async () => {
      if (await this.store.isTaken(username, id)) throw taken();
      const keepers = await this.store.accountsByReferralCode(data.meta?.usedReferralCode);
      const values = { id, OwnerId: id, username, passwordHash, data, isTest: true, ...keepers };
      await then(await this.store.create(values));
      const action = 'registration.create';
      await this.audit.record({ action, actorId: id, OwnerId: id, target: ['users', id] });
      this.events.changed('users', 'created', id, id);
    };
    await this.db.transaction(open).catch(refuse);
    return { id };
  }

  /** What is learnt of where the account came from. */
  async note({ userId, OwnerId }: Actor, meta: NonNullable<User['data']['meta']>): Promise<void> {
    await this.store.note(userId, meta);
    this.events.changed('users', 'updated', OwnerId, userId);
  }

  /** Money came in: it is a test account no longer. */
  async leaveTest(OwnerId: string): Promise<void> {
    if (await this.store.leaveTest(OwnerId))
      this.events.changed('users', 'updated', OwnerId, OwnerId);
  }

  /** What waits to be confirmed is given up. In the caller's transaction. */
  async cancelChanges(id: string): Promise<void> {
    await this.emails.cancel(id);
    await this.store.dropPendingPhone(id);
  }

  /** Of `data` absent stays and null clears, field by field. Another address waits to be confirmed. */
  async update(actor: Actor, id: string, input: Changes, from: From): Promise<User> {
    const { password, ...rest } = input;
    const row = await this.store.get(actor.scope, id);
    const country = accountCountry(row.data.phone);
    const changes = { ...rest, data: rest.data && withPhone(rest.data, country) };
    refuseEqual(actor, row);
    const before = identityChange(row, changes);
    if (before.isAny) refuseImpersonated(actor);
    const isProved = before.isAny && password !== undefined;
    if (isProved) await this.auth.prove(actor, password, from.visitor);
    if (isProved && before.address) await this.emails.admit(id, before.address, from.visitor);
    const change = () => this.change(actor, id, changes, { ...from, isProved });
    return this.db.transaction(change).catch(refuse);
  }

  private async change(
    actor: Actor,
    id: string,
    changes: Omit<Changes, 'password'>,
    { locale, visitor, isProved }: From & { isProved: boolean },
  ): Promise<User> {
    const row = await this.store.lock(actor.scope, id);
    const { username, referralCode, data } = changes;
    refuseEqual(actor, row);
    const asksForCode = referralCode !== undefined && (referralCode || null) !== row.referralCode;
    if (asksForCode && actor.level === 'me') throw new AppError('forbidden');
    const identity = identityChange(row, changes);
    if (identity.isAny && !isProved)
      throw invalid('password', 'required', 'Your own password is needed for this change.');
    if (username && (await this.store.isTaken(username, id))) throw taken();
    if (identity.address)
      await this.emails.request(
        row,
        {
          address: identity.address,
          isEmail: identity.email !== null,
          login: identity.waitingUsername,
        },
        actor,
        { locale, ip: visitor.ip },
      );
    const { phone, pendingPhone } = identity;
    const now = data && merged(row.data, { ...data, email: row.data.email, phone: phone ?? null });
    const changed = await this.store.update(actor.scope, id, {
      ...(!identity.waitingUsername && { username }),
      ...(asksForCode && { referralCode: referralCode || null }),
      ...(now && { data: now, pendingPhone }),
    });
    const { OwnerId } = row;
    const states = { before: audited(row), after: audited(changed) };
    await this.audit.record({ OwnerId, target: ['users', id], ...states });
    this.events.changed('users', 'updated', OwnerId, id);
    return changed;
  }
}

/** Others are changed from above, as they are signed in to; a sub-user shares its holder's reach, not its person. */
function refuseEqual(actor: Actor, { id, level }: User): void {
  if (id === actor.userId) return;
  if (actor.userId !== actor.OwnerId || !isBelow(level, actor.level))
    throw new AppError('forbidden');
}

/** The e-mail is copied from the username when that is one. */
function ofRegistration({ username, data }: NewAccount): NewAccount['data'] {
  return { ...data, email: data.email || username.toLowerCase() };
}

/** `country` is whose plan a phone without a calling code is of. */
function withPhone<D extends Data>(data: D, country?: string): D {
  if (!data.phone) return data;
  const phone = normalizePhone(data.phone, country);
  if (!phone) throw invalid('data.phone', 'phone', 'This is not a phone number.');
  return { ...data, phone };
}

function merged(before: User['data'], changes: User['data']): User['data'] {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

/** What the audit log tells of a user's changes. */
const audited = ({ username, referralCode, data, pendingEmail, pendingPhone }: User) => ({
  username,
  referralCode,
  data,
  pendingEmail,
  pendingPhone,
});

const taken = () => invalid('username', 'unique', 'This username is taken already.');

/** Two who take the same name or code at once meet at the index. */
function refuse(error: unknown): never {
  if (violated(error) === 'users_username') throw taken();
  if (violated(error) === 'users_referral_code')
    throw invalid('referralCode', 'unique', 'This code belongs to another account.');
  throw error;
}
