import { Injectable } from '@nestjs/common';
import { isBelow } from '@heliograph/contract';
import {
  addressChangeEmail,
  confirmationEmail,
  type EmailMessage,
  type Locale,
} from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import { isWithin, refuseImpersonated, rightsOf, type Actor } from '../../core/auth/actor.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { AppError } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { KEY_ATTEMPTS, type KeyHolder } from '../../core/mail/email-keys.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, type SubjectLimit, take } from '../../core/rate-limits.ts';
import { BrandsService, type AppliedBrand } from '../brands/brands.service.ts';
import { EmailChangesStore, type Changing, type EmailChange } from './email-changes.store.ts';
import type { User } from './user.entity.ts';

/** Lifetime of a key. */
const KEY_HOURS = 24;
/** E-mails per hour for a user, to an address within a network, and requested from a network. */
const LIMITS = { user: 5, address: 5, network: 20 };

type Addressed = { username: string; address: string };
type RequestedChange = Pick<EmailChange, 'address' | 'isEmail' | 'login'>;

/** A new e-mail takes effect when it is confirmed by a key sent to it. The former address is notified of the request. */
@Injectable()
export class EmailChangesService {
  private readonly byUser: RateLimiterRedis;
  private readonly byAddress: SubjectLimit;
  private readonly byNetwork: RateLimiterRedis;
  private readonly byKey: RateLimiterRedis;

  constructor(
    private readonly brands: BrandsService,
    private readonly db: Db,
    private readonly store: EmailChangesStore,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly events: Events,
    limits: RateLimits,
  ) {
    this.byUser = limits.of('email:user', LIMITS.user, 3600);
    this.byAddress = limits.ofSubject('email:address', LIMITS.address, 3600);
    this.byNetwork = limits.of('email:network', LIMITS.network, 3600);
    this.byKey = limits.of(KEY_ATTEMPTS.prefix, KEY_ATTEMPTS.points, KEY_ATTEMPTS.seconds);
  }

  /** Checks the rate limits. Called before `request`, outside a transaction. */
  async checkLimits(userId: string, address: string, { network }: Visitor): Promise<void> {
    this.mailer.assertReady();
    await take(this.byNetwork, network);
    await take(this.byUser, userId);
    await this.byAddress.take(address, network);
  }

  /** Part of the caller's transaction; the e-mails are sent after the commit. */
  async request(
    user: Pick<User, 'id' | 'username' | 'data'>,
    requested: RequestedChange,
    actor: Actor,
    { locale, ip }: { locale: Locale; ip: string },
  ): Promise<void> {
    const { id, username } = user;
    const { address } = requested;
    const change = { ...requested, requestedBy: actor.userId };
    const key = await this.store.keys.put(id, KEY_HOURS * 3600, change);
    const { email } = user.data;
    const language = await this.locales.of(id, locale);
    const brand = await this.brands.ofUser(id);
    if (email && email !== address)
      this.notify(brand, email, language, { username, address, by: actor.username, ip });
    this.sendKey(brand, language, { username, address, key });
  }

  /** Sends the key again, for a pending change or for the unconfirmed address of the registration. */
  async sendConfirmation(
    actor: Actor,
    locale: Locale,
    visitor: Visitor,
  ): Promise<{ email: string; expiresIn: number }> {
    refuseImpersonated(actor);
    const { username, waiting, email } = await this.store.unconfirmed(actor.userId);
    const pending = waiting ?? (email && { address: email, isEmail: true, login: null });
    if (!pending) throw new AppError('conflict', 'The account has no unconfirmed e-mail');
    await this.checkLimits(actor.userId, pending.address, visitor);
    await this.db.transaction(async () => {
      const change = { ...pending, requestedBy: waiting?.requestedBy ?? actor.userId };
      const key = await this.store.keys.put(actor.userId, KEY_HOURS * 3600, change);
      const language = await this.locales.of(actor.userId, locale);
      const brand = await this.brands.ofUser(actor.userId);
      this.sendKey(brand, language, { username, address: pending.address, key });
    });
    return { email: pending.address, expiresIn: KEY_HOURS * 3600 };
  }

  async check(key: string, { network }: Visitor): Promise<KeyHolder & EmailChange> {
    await take(this.byKey, network);
    const found = await this.store.keys.find(key);
    if (!found) throw invalidKey();
    return found;
  }

  async confirm(key: string, { network }: Visitor): Promise<{ username: string; email: string }> {
    await take(this.byKey, network);
    const confirm = async () => {
      const change = await this.store.keys.use(key);
      if (!change) throw invalidKey();
      const before = await this.store.lock(change.userId, change.requestedBy);
      if (!mayStillChange(before)) throw invalidKey();
      await this.store.apply(change.userId, change);
      const { address, isEmail, login } = change;
      if (isEmail && address !== before.email)
        await this.notifications.notify(
          before.OwnerId,
          'AuthEmail',
          { email: address },
          change.userId,
        );
      await this.audit.record({
        actorId: change.userId,
        OwnerId: before.OwnerId,
        target: ['users', change.userId],
        before: { username: before.username, email: before.email },
        after: {
          username: login ?? before.username,
          email: isEmail ? address : before.email,
          address,
        },
      });
      this.events.changed('users', 'updated', before.OwnerId, change.userId);
      return { username: login ?? before.username, email: address };
    };
    return this.db.transaction(confirm).catch((error: unknown) => {
      if (violated(error) !== 'users_username') throw error;
      throw new AppError('conflict', 'This address is the username of another account');
    });
  }

  /** Sends the key to the address to be confirmed. */
  private sendKey(
    brand: AppliedBrand,
    locale: Locale,
    { key, ...facts }: Addressed & { key: string },
  ): void {
    const { title } = brand;
    const url = `${brand.url}/confirm?key=${key}`;
    const email = confirmationEmail(locale, { ...facts, title, url, hours: KEY_HOURS });
    this.send(brand, facts.address, email);
  }

  /** Notifies the former address. */
  private notify(
    brand: AppliedBrand,
    to: string,
    locale: Locale,
    facts: Addressed & { by: string; ip: string },
  ): void {
    const { title, url } = brand;
    this.send(brand, to, addressChangeEmail(locale, { ...facts, title, url: `${url}/recover` }));
  }

  private send({ sender }: AppliedBrand, to: string, email: EmailMessage): void {
    this.db.afterCommit(() => this.mailer.inBackground(() => this.mailer.send(to, email, sender)));
  }

  /** Cancels the pending change of the actor and returns its address. The key is no longer valid. */
  async withdraw(actor: Actor): Promise<string> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    return this.db.transaction(async () => {
      const { waiting } = await this.store.unconfirmed(userId);
      if (!waiting) throw new AppError('conflict', 'There is no pending change of the e-mail');
      await this.cancel(userId);
      await this.audit.record({
        target: ['users', userId],
        before: { pendingEmail: waiting.address },
        after: { pendingEmail: null },
      });
      this.events.changed('users', 'updated', OwnerId, userId);
      return waiting.address;
    });
  }

  /** Cancels the pending change. */
  cancel(userId: string): Promise<void> {
    return this.store.keys.drop(userId);
  }
}

/** The requester must still be active and, for another user, be above it and have it in its access scope. */
function mayStillChange({ requester, ...user }: Changing): boolean {
  if (!requester.isActive) return false;
  if (requester.userId === user.userId) return true;
  return isBelow(user.level, requester.level) && isWithin(rightsOf(requester).scope, user);
}

const invalidKey = () =>
  new AppError('not_found', 'The key is invalid or has expired. Request a new one.');
