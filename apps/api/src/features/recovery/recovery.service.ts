import { Injectable } from '@nestjs/common';
import { normalizeEmail, recoveryEmail, type Locale } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import { PasswordPolicy } from '../../core/auth/password-policy.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { KEY_ATTEMPTS, type KeyHolder } from '../../core/mail/email-keys.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, type SubjectLimit, take } from '../../core/rate-limits.ts';
import { AuthService } from '../auth/auth.service.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { CaptchaService } from '../captcha/captcha.service.ts';
import { UsersService } from '../users/users.service.ts';
import { RecoveryStore, type Addressee } from './recovery.store.ts';

/** Lifetime of a key. */
export const KEY_SECONDS = 3600;
/** E-mails per hour for a name within a network, and from an address. */
const LIMITS = { name: 5, address: 20 };

@Injectable()
export class RecoveryService {
  private readonly byName: SubjectLimit;
  private readonly byAddress: RateLimiterRedis;
  private readonly byKey: RateLimiterRedis;

  constructor(
    private readonly brands: BrandsService,
    private readonly db: Db,
    private readonly store: RecoveryStore,
    private readonly auth: AuthService,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly passwords: PasswordPolicy,
    private readonly captcha: CaptchaService,
    private readonly users: UsersService,
    limits: RateLimits,
  ) {
    this.byName = limits.ofSubject('recovery:name', LIMITS.name, 3600);
    this.byAddress = limits.of('recovery:address', LIMITS.address, 3600);
    this.byKey = limits.of(KEY_ATTEMPTS.prefix, KEY_ATTEMPTS.points, KEY_ATTEMPTS.seconds);
  }

  /** The user is looked up after the response, so that its duration does not reveal which names exist. */
  async request(
    login: string,
    locale: Locale,
    { network }: Visitor,
    captcha?: string,
  ): Promise<void> {
    this.mailer.assertReady();
    await take(this.byAddress, network);
    await this.captcha.require(network, captcha);
    await this.byName.take(login.toLowerCase(), network);
    this.mailer.inBackground(() => this.sendKeys(login, locale));
  }

  async check(key: string, { network }: Visitor): Promise<KeyHolder & { isInvitation: boolean }> {
    await take(this.byKey, network);
    const holder = await this.holderOf(key);
    return { ...holder, isInvitation: await this.store.isInvited(holder.userId) };
  }

  /** Sets a new password and ends all sessions of the user. */
  async reset(key: string, password: string, visitor: Visitor): Promise<KeyHolder> {
    await take(this.byKey, visitor.network);
    const holder = await this.holderOf(key);
    const passwordHash = await this.passwords.hash(password, holder.username);
    await this.db.transaction(async () => {
      const used = await this.store.keys.use(key);
      if (!used) throw invalidKey();
      await this.store.setPassword(holder.userId, passwordHash, used.isEmailed);
      await this.auth.endAll(holder.userId);
      // A pending change of e-mail or phone may have been requested by an intruder.
      await this.users.cancelChanges(holder.userId);
      const { ip } = visitor;
      const { userId: id, OwnerId } = holder;
      await this.notifications.notify(OwnerId, 'AuthRecover', { ip }, id);
      await this.audit.record({ actorId: id, OwnerId, target: ['users', id] });
    });
    await this.auth.resetAttempts(holder.username, visitor);
    return holder;
  }

  private async holderOf(key: string): Promise<KeyHolder> {
    const holder = await this.store.keys.find(key);
    if (!holder) throw invalidKey();
    return holder;
  }

  private async sendKeys(login: string, locale: Locale): Promise<void> {
    for (const addressee of await this.store.addressees(login)) {
      const to = addressOf(addressee);
      if (!to) continue;
      const key = await this.db.transaction(async () => {
        const target = ['users', addressee.id] as const;
        await this.audit.record({ action: 'recovery.request', OwnerId: addressee.OwnerId, target });
        return this.store.keys.put(addressee.id, KEY_SECONDS, { isEmailed: true });
      });
      const { title, url, sender } = await this.brands.ofUser(addressee.id);
      const email = recoveryEmail(await this.locales.of(addressee.id, locale), {
        title,
        username: addressee.username,
        url: `${url}/recover/${key}`,
        minutes: KEY_SECONDS / 60,
      });
      await this.mailer.send(to, email, sender);
    }
  }
}

/** The e-mail is sent to the address of the account, never to one of the request. */
const addressOf = ({ email, username }: Addressee): string | null =>
  normalizeEmail(email ?? username);

const invalidKey = () =>
  new AppError('not_found', 'The key is invalid or has expired. Request a new one.');
