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
import { Config } from '../../core/config.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { AppError } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { KEY_ATTEMPTS, type KeyHolder } from '../../core/mail/email-keys.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { EmailChangesStore, type Changing, type EmailChange } from './email-changes.store.ts';
import type { User } from './user.entity.ts';

/** How long a key is good, in hours. */
const KEY_HOURS = 24;
/** Letters in an hour: for a user, to an address, asked for from a network. */
const LIMITS = { user: 5, address: 5, network: 20 };

type Addressed = { username: string; address: string };
type Asked = Pick<EmailChange, 'address' | 'isEmail' | 'login'>;

/** An address takes effect when the letter to it is answered; the former one is told before that. */
@Injectable()
export class EmailChangesService {
  private readonly limits: Record<keyof typeof LIMITS, RateLimiterRedis>;
  private readonly byKey: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly store: EmailChangesStore,
    private readonly mailer: Mailer,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly events: Events,
    limits: RateLimits,
  ) {
    const of = (name: keyof typeof LIMITS) => limits.of(`email:${name}`, LIMITS[name], 3600);
    this.limits = { user: of('user'), address: of('address'), network: of('network') };
    this.byKey = limits.of(KEY_ATTEMPTS.prefix, KEY_ATTEMPTS.points, KEY_ATTEMPTS.seconds);
  }

  /** Outside of a transaction, before `request`: may a letter go to this address? */
  async admit(userId: string, address: string, { network }: Visitor): Promise<void> {
    this.mailer.assertReady();
    await take(this.limits.network, network);
    await take(this.limits.user, userId);
    await take(this.limits.address, address);
  }

  /** In the caller's transaction; the letters go after it. */
  async request(
    user: Pick<User, 'id' | 'username' | 'data'>,
    asked: Asked,
    actor: Actor,
    { locale, ip }: { locale: Locale; ip: string },
  ): Promise<void> {
    const { id, username } = user;
    const { address } = asked;
    const change = { ...asked, requestedBy: actor.userId };
    const key = await this.store.keys.put(id, KEY_HOURS * 3600, change);
    const { email } = user.data;
    if (email && email !== address)
      this.notify(email, locale, { username, address, by: actor.username, ip });
    this.write(locale, { username, address, key });
  }

  /** Once more what waits to be confirmed, or the address that the account was registered with. */
  async sendLetter(
    actor: Actor,
    locale: Locale,
    visitor: Visitor,
  ): Promise<{ email: string; expiresIn: number }> {
    refuseImpersonated(actor);
    const { username, waiting, email } = await this.store.unconfirmed(actor.userId);
    const asked = waiting ?? (email && { address: email, isEmail: true, login: null });
    if (!asked) throw new AppError('conflict', 'There is no e-mail to confirm');
    await this.admit(actor.userId, asked.address, visitor);
    await this.db.transaction(async () => {
      const change = { ...asked, requestedBy: waiting?.requestedBy ?? actor.userId };
      const key = await this.store.keys.put(actor.userId, KEY_HOURS * 3600, change);
      this.write(locale, { username, address: asked.address, key });
    });
    return { email: asked.address, expiresIn: KEY_HOURS * 3600 };
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
        await this.notifications.notify(before.OwnerId, 'AuthEmail', { email: address });
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
      throw new AppError('conflict', 'Somebody else signs in by this address');
    });
  }

  /** To the address that is to be confirmed, after the commit. */
  private write(locale: Locale, { key, ...facts }: Addressed & { key: string }): void {
    const { TITLE: title, publicUrl } = this.config;
    const url = `${publicUrl}/confirm?key=${key}`;
    const letter = confirmationEmail(locale, { ...facts, title, url, hours: KEY_HOURS });
    this.send(facts.address, letter);
  }

  /** To the one that is to be replaced. */
  private notify(to: string, locale: Locale, facts: Addressed & { by: string; ip: string }): void {
    const { TITLE: title, publicUrl } = this.config;
    this.send(to, addressChangeEmail(locale, { ...facts, title, url: `${publicUrl}/recover` }));
  }

  private send(to: string, letter: EmailMessage): void {
    this.db.afterCommit(() => this.mailer.inBackground(() => this.mailer.send(to, letter)));
  }

  /** What waits to be confirmed is given up. */
  cancel(userId: string): Promise<void> {
    return this.store.keys.drop(userId);
  }
}

/** Who asked for somebody else must still be above, and within reach. */
function mayStillChange({ requester, ...user }: Changing): boolean {
  if (!requester.isActive) return false;
  if (requester.userId === user.userId) return true;
  return isBelow(user.level, requester.level) && isWithin(rightsOf(requester).scope, user);
}

const invalidKey = () =>
  new AppError('not_found', 'The key is invalid or has expired, ask for another one');
