import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  isBelow,
  type FieldIssue,
  type Level,
  type Page,
  type Registration,
  type User as Wire,
  type users,
} from '@heliograph/contract';
import { accountCountry, isReferralCode, normalizePhone, type Locale } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, refuseToken, systemScope, type Actor } from '../../core/auth/actor.ts';
import { refuseChangesOf } from '../../core/changes.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid, invalidFields } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { AuthService } from '../auth/auth.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { hasAuthority, requireAuthority } from './authority.ts';
import { EmailChangesService } from './email-changes.service.ts';
import { identityChange } from './identity-change.ts';
import { present, type User } from './user.entity.ts';
import { UsersStore } from './users.store.ts';

type Changes = Omit<In<typeof users.update>['body'], 'locale'>;
type Data = NonNullable<Changes['data']>;
/** The client of a request and the locale of the e-mails. */
type From = { locale: Locale; visitor: Visitor };
/** What those who run an account set of a new one, or of a member of theirs. */
type OpeningValues = Pick<
  User,
  'level' | 'ResellerId' | 'ManagerId' | 'isTest' | 'settings' | 'passwordHash'
> &
  Partial<Pick<User, 'OwnerId' | 'role'>>;
export type { User } from './user.entity.ts';
export type NewAccount = Omit<Registration, 'password'> & { passwordHash: string };

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

  /** Closed accounts are found by `isClosed`, or by their id. Phone numbers in the search are parsed with the numbering plan of the actor's account. */
  async find(actor: Actor, query: In<typeof users.find>['query']): Promise<Page<User>> {
    const { filter } = query;
    const shown = filter.OwnerId ? query : { ...query, filter: { isClosed: false, ...filter } };
    return this.store.find(actor.scope, shown, await this.settings.countryOf(actor.OwnerId));
  }

  /** Creates an account holder, assigned by its referral code. `then` runs in the same transaction. */
  async open(account: NewAccount, then: (user: User) => Promise<void>): Promise<{ id: string }> {
    const id = uuidv7();
    const { username, passwordHash } = account;
    const data = merged({}, withPhone(ofRegistration(account), account.data.country ?? undefined));
    const open = async () => {
      if (await this.store.isTaken(username, id)) throw taken();
      const referral = await this.store.accountsByReferralCode(data.meta?.usedReferralCode);
      const values = { id, OwnerId: id, username, passwordHash, data, isTest: true, ...referral };
      await then(await this.store.create(values));
      const action = 'registration.create';
      await this.audit.record({ action, actorId: id, OwnerId: id, target: ['users', id] });
      this.events.changed('users', 'created', id, id);
    };
    await this.db.transaction(open).catch(refuse);
    return { id };
  }

  /** What is wrong with a name for a new user. */
  async usernameFault(username: string): Promise<FieldIssue | null> {
    return (await this.store.isTaken(username, uuidv7())) ? TAKEN : null;
  }

  /** Creates a user with these values, for another one: an account holder, unless it has an owner. `then` runs in the same transaction. */
  async openFor(
    username: string,
    input: Data,
    values: OpeningValues,
    then: (user: User) => Promise<void>,
  ): Promise<User> {
    const id = uuidv7();
    const data = merged({}, withPhone(input, input.country ?? undefined));
    const phoneConfirmedAt = data.phone ? new Date() : null;
    const open = async () => {
      if (await this.store.isTaken(username, id)) throw taken();
      const OwnerId = values.OwnerId ?? id;
      const identity = { id, OwnerId, username, data, phoneConfirmedAt };
      const user = await this.store.create({ ...values, ...identity });
      await then(user);
      this.events.changed('users', 'created', OwnerId, id);
      return this.store.get(systemScope, id);
    };
    return this.db.transaction(open).catch(refuse);
  }

  /** A user whose account the actor runs. Throws `forbidden` for others within its scope. */
  async administered(actor: Actor, id: string): Promise<User> {
    const user = await this.store.get(actor.scope, id);
    requireAuthority(actor, user);
    return user;
  }

  /** Whether the actor runs the account of a user within its scope. */
  runs(actor: Actor, user: Pick<User, 'id' | 'level'>): boolean {
    return hasAuthority(actor, user);
  }

  /** Adds metadata about the origin of the account. */
  async addMeta(
    { userId, OwnerId }: Actor,
    meta: NonNullable<User['data']['meta']>,
  ): Promise<void> {
    await this.store.addMeta(userId, meta);
    this.events.changed('users', 'updated', OwnerId, userId);
  }

  /** Ends the test status after the first payment. */
  async leaveTest(OwnerId: string): Promise<void> {
    if (await this.store.leaveTest(OwnerId))
      this.events.changed('users', 'updated', OwnerId, OwnerId);
  }

  /** Refuses a closed account, and keeps it from being closed until the transaction ends. */
  async requireOpen(OwnerId: string): Promise<void> {
    if (!(await this.store.isOpen(OwnerId)))
      throw new AppError('account_inactive', 'The account is closed');
  }

  /** Whether an account is a customer of a reseller. */
  hasReseller(OwnerId: string): Promise<boolean> {
    return this.store.hasReseller(OwnerId);
  }

  /** Cancels pending changes of e-mail and phone. Part of the caller's transaction. */
  async cancelChanges(id: string): Promise<void> {
    await this.emails.cancel(id);
    await this.store.dropPendingPhone(id);
  }

  /** In `data` absent fields stay and null clears. A new address takes effect when it is confirmed. */
  async update(actor: Actor, id: string, input: Changes, from: From): Promise<User> {
    const { password, ...rest } = input;
    const row = await this.store.get(actor.scope, id);
    const country = accountCountry(row.data.phone);
    const changes = { ...rest, data: rest.data && withPhone(rest.data, country) };
    refuseEqual(actor, row);
    const before = identityChange(row, changes);
    if (before.isAny) {
      refuseImpersonated(actor);
      refuseToken(actor);
    }
    const isPasswordVerified = before.isAny && password !== undefined;
    if (isPasswordVerified) await this.auth.verifyOwnPassword(actor, password, from.visitor);
    if (isPasswordVerified && before.address)
      await this.emails.checkLimits(id, before.address, from.visitor);
    const change = () => this.change(actor, id, changes, { ...from, isPasswordVerified });
    return this.db.transaction(change).catch(refuse);
  }

  private async change(
    actor: Actor,
    id: string,
    changes: Omit<Changes, 'password'>,
    { locale, visitor, isPasswordVerified }: From & { isPasswordVerified: boolean },
  ): Promise<User> {
    const row = await this.store.lock(actor.scope, id);
    const { username, referralCode, data } = changes;
    refuseEqual(actor, row);
    refuseChangesOf(row.data.meta ?? {}, data?.meta ?? {}, 'data.meta.');
    const changesCode = referralCode !== undefined && (referralCode || null) !== row.referralCode;
    if (changesCode && actor.level === 'me') {
      if (id !== actor.OwnerId)
        throw new AppError('forbidden', 'Only the account holder can change the referral code');
      if (!referralCode)
        throw invalid(
          'referralCode',
          'required',
          'A code can be replaced, not removed. Enter a new one.',
        );
    }
    // Another account could take the former code, and the bonuses of the links that were published with it.
    if (changesCode) refuseToken(actor);
    if (changesCode && referralCode && !isReferralCode(referralCode)) throw invalidCode();
    const identity = identityChange(row, changes);
    if (identity.isAny && !isPasswordVerified)
      throw invalid('password', 'required', 'Your own password is required for this change.');
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
    const { email, meta } = row.data;
    const now = data && merged(row.data, { ...data, email, meta, phone: phone ?? null });
    const changed = await this.store.update(actor.scope, id, {
      ...(!identity.waitingUsername && { username }),
      ...(changesCode && { referralCode: referralCode || null }),
      ...(now && { data: now, pendingPhone }),
    });
    const { OwnerId } = row;
    const states = { before: audited(row), after: audited(changed) };
    await this.audit.record({ OwnerId, target: ['users', id], ...states });
    this.events.changed('users', 'updated', OwnerId, id);
    return changed;
  }
}

/** Other users can be changed only by account holders of a higher level. */
function refuseEqual(actor: Actor, { id, level }: User): void {
  if (id === actor.userId) return;
  if (actor.userId !== actor.OwnerId || !isBelow(level, actor.level))
    throw new AppError(
      'forbidden',
      'Only an account holder of a higher level can change another user',
    );
}

/** The e-mail defaults to the username, if that is an address. */
function ofRegistration({ username, data }: NewAccount): NewAccount['data'] {
  return { ...data, email: data.email || username.toLowerCase() };
}

/** `country` is the numbering plan of a phone number without a calling code. */
function withPhone<D extends Data>(data: D, country?: string): D {
  if (!data.phone) return data;
  const phone = normalizePhone(data.phone, country);
  if (!phone) throw invalid('data.phone', 'phone', 'Invalid phone number');
  return { ...data, phone };
}

function merged(before: User['data'], changes: User['data']): User['data'] {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

/** The audited fields. */
const audited = ({ username, referralCode, data, pendingEmail, pendingPhone }: User) => ({
  username,
  referralCode,
  data,
  pendingEmail,
  pendingPhone,
});

const invalidCode = () =>
  invalid(
    'referralCode',
    'referral_code',
    'The code must have 3 to 40 Latin letters, digits, hyphens or underscores.',
  );

const TAKEN = {
  field: 'username',
  rule: 'unique',
  message: 'This username is already taken.',
} as const;
const taken = () => invalidFields([TAKEN]);

/** Concurrent requests for the same name or code violate a unique index. */
function refuse(error: unknown): never {
  if (violated(error) === 'users_username') throw taken();
  if (violated(error) === 'users_referral_code')
    throw invalid('referralCode', 'unique', 'This code belongs to another account.');
  throw error;
}
