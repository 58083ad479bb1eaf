import { Injectable } from '@nestjs/common';
import { PHONE_CODE, phoneCodeText, type Locale } from '@heliograph/domain';
import { randomInt } from 'node:crypto';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { hashPassword, verifyPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { RateLimits, type SubjectLimit, take } from '../../core/rate-limits.ts';
import { FreeCreditsService } from '../billings/free-credits.service.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { SealedTexts } from '../sendings/sealed-texts.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { PhonesStore, type SimulatedMessage } from './phones.store.ts';

const CODE_SECONDS = PHONE_CODE.minutes * 60;
/** Codes for a user, to a phone and requested from a network. */
const LIMITS = {
  user: { codes: 5, seconds: 3600 },
  /** Within a network. */
  phone: { codes: 5, seconds: 86_400 },
  network: { codes: 20, seconds: 3600 },
};
const MINUTE_MS = 60_000;

/** Confirms phones by a code sent as SMS. docs/decisions/015-free-credit.md. */
@Injectable()
export class PhonesService {
  private readonly byUser: RateLimiterRedis;
  private readonly byPhone: SubjectLimit;
  private readonly byNetwork: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly brands: BrandsService,
    private readonly db: Db,
    private readonly store: PhonesStore,
    private readonly sendings: SendingsService,
    private readonly sealed: SealedTexts,
    private readonly credits: FreeCreditsService,
    private readonly audit: Audit,
    private readonly events: Events,
    limits: RateLimits,
  ) {
    const { user, phone, network } = LIMITS;
    this.byUser = limits.of('phone:user', user.codes, user.seconds);
    this.byPhone = limits.ofSubject('phone:phone', phone.codes, phone.seconds);
    this.byNetwork = limits.of('phone:network', network.codes, network.seconds);
  }

  /** Sends a code to the pending phone, or to the unconfirmed one. It replaces the former code. */
  async sendCode(
    actor: Actor,
    locale: Locale,
    { network }: Visitor,
  ): Promise<{ phone: string; expiresIn: number }> {
    refuseImpersonated(actor);
    const { userId } = actor;
    const phone = await this.store.toConfirm(userId);
    if (!phone) throw new AppError('conflict', 'The account has no unconfirmed phone');
    await take(this.byNetwork, network);
    await take(this.byUser, userId);
    await this.byPhone.take(phone, network);
    if (await this.credits.isOfAnother(userId, phone)) throw phoneUsed();
    const code = String(randomInt(10 ** PHONE_CODE.digits)).padStart(PHONE_CODE.digits, '0');
    const codeHash = await hashPassword(code);
    const { title } = await this.brands.ofUser(userId);
    const text = phoneCodeText(locale, { title, code });
    await this.db.transaction(async () => {
      await this.store.end(userId);
      const sendingId = await this.sendings.sendOwn(phone, text);
      await this.store.put(userId, { phone, codeHash, sendingId }, CODE_SECONDS);
    });
    return { phone, expiresIn: CODE_SECONDS };
  }

  async confirm(actor: Actor, code: string): Promise<string> {
    refuseImpersonated(actor);
    const { userId } = actor;
    // Counted before the comparison, so that concurrent attempts cannot exceed the limit.
    const codeHash = await this.store.takeTry(userId, PHONE_CODE.tries);
    if (!codeHash) throw expired();
    if (!(await verifyPassword(codeHash, code)))
      throw invalid('code', 'code_wrong', 'The code is incorrect.');
    const use = async () => {
      const before = await this.store.lock(userId);
      const phone = await this.store.use(userId, codeHash);
      if (!phone || phone !== (before.pendingPhone ?? before.phone)) throw expired();
      if (!(await this.credits.bind(userId, phone))) throw phoneUsed();
      const phoneConfirmedAt = await this.store.apply(userId, phone);
      await this.audit.record({
        target: ['users', userId],
        before: { phone: before.phone, phoneConfirmedAt: before.phoneConfirmedAt },
        after: { phone, phoneConfirmedAt },
      });
      this.events.changed('users', 'updated', actor.OwnerId, userId);
      return phone;
    };
    return this.db.transaction(use).catch((error: unknown) => {
      // Two accounts confirmed the same phone concurrently.
      throw violated(error) === 'free_credits_pkey' ? phoneUsed() : error;
    });
  }

  /** Messages of the simulator, shown in demo mode. */
  async simulated(actor: Actor): Promise<SimulatedMessage[]> {
    if (!this.config.DEMO) throw notFound();
    refuseImpersonated(actor);
    const messages = await this.store.simulated(actor.userId, actor.OwnerId);
    // One-time codes have asterisks everywhere but on the phone.
    const texts = await this.sealed.textsOf(messages.map(({ id }) => id));
    return messages.map((message) => ({ ...message, text: texts.get(message.id) ?? message.text }));
  }

  @Sweeps(MINUTE_MS)
  deleteExpired(): Promise<boolean> {
    return this.store.endExpired();
  }
}

const expired = () =>
  invalid(
    'code',
    'code_expired',
    'The code has expired or was tried too often. Request a new one.',
  );

const phoneUsed = () =>
  new AppError('phone_used', 'The free credit of this phone number was given to another account');
