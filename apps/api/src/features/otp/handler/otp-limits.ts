import { Injectable } from '@nestjs/common';
import { otpPrefix, sessionCooldown } from '@heliograph/domain';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { OtpStatisticsStore } from '../settings/otp-statistics.store.ts';
import { OtpCounters, type Limit } from './otp-counters.ts';
import { otpRateLimit } from './otp-errors.ts';
import type { OtpSession } from './otp-session.ts';
import { OtpSessionsStore } from './otp-sessions.store.ts';

type OfPhone = Pick<OtpSession, 'OwnerId' | 'phone'>;
/** A request of a code; `address` is the network of the person, null if it is unknown. */
interface Asked extends OfPhone {
  widgetId: string;
  address: string | null;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** How many codes are sent and entered. Each refusal is `RateLimit` and says when a request may succeed. */
@Injectable()
export class OtpLimits {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly counters: OtpCounters,
    private readonly sessions: OtpSessionsStore,
    private readonly blocks: OtpStatisticsStore,
    private readonly metrics: Metrics,
  ) {}

  /** Refuses numbers of a range that is blocked for pumping. */
  async refuseBlocked({ OwnerId, phone }: OfPhone): Promise<void> {
    const now = this.clock.now();
    const until = await this.blocks.blockedUntil(OwnerId, otpPrefix(phone), now);
    if (until) this.refuse('pumping', until, now);
  }

  /**
   * Counts a request of a code in a transaction of its own: everyone counts on the same rows, which must not stay locked while a
   * session is started.
   */
  async takeRequest({ OwnerId, phone, widgetId, address }: Asked): Promise<void> {
    const { OTP_PREFIX_PER_MINUTE, OTP_WIDGET_PER_MINUTE, OTP_ADDRESS_PER_HOUR } = this.config;
    const range = `${OwnerId}:${otpPrefix(phone)}`;
    const limits: Limit[] = [
      { kind: 'prefix', key: range, limit: OTP_PREFIX_PER_MINUTE, seconds: MINUTE_SECONDS },
      { kind: 'widget', key: widgetId, limit: OTP_WIDGET_PER_MINUTE, seconds: MINUTE_SECONDS },
    ];
    if (address !== null) {
      const key = `${OwnerId}:${address}`;
      limits.push({ kind: 'address', key, limit: OTP_ADDRESS_PER_HOUR, seconds: HOUR_SECONDS });
    }
    await this.db.transaction(() => this.counters.take(limits));
  }

  /**
   * Counts a session in the transaction that starts it. The key of the number is locked by its counters, so that of concurrent
   * requests only one passes the check of the wait between sessions.
   */
  async takeSession(session: OfPhone): Promise<void> {
    await this.counters.take(this.ofPhone(session));
    await this.refuseCooling(session);
  }

  /** Counts another round of a session, in its transaction. */
  takeRound(session: OfPhone): Promise<void> {
    return this.counters.take(this.ofPhone(session));
  }

  /** Counts a code that was entered, over all sessions of the number. */
  takeGuess({ OwnerId, phone }: OfPhone): Promise<void> {
    const limit = this.config.OTP_GUESSES_PER_HOUR;
    const key = `${OwnerId}:${phone}`;
    return this.counters.take([{ kind: 'guess', key, limit, seconds: HOUR_SECONDS }]);
  }

  /** Counts a request without a captcha, and tells whether it is one of the free ones of its address. */
  isFree(widgetId: string, address: string, limit: number): Promise<boolean> {
    const key = `${widgetId}:${address}`;
    return this.counters.tryTake({ kind: 'free', key, limit, seconds: HOUR_SECONDS });
  }

  private async refuseCooling({ OwnerId, phone }: OfPhone): Promise<void> {
    const now = this.clock.now();
    const since = secondsAfter(now, -DAY_SECONDS);
    const { count, lastAt } = await this.sessions.unconfirmed(OwnerId, phone, since);
    const until = lastAt && secondsAfter(lastAt, sessionCooldown(count));
    if (until && until > now) this.refuse('cooldown', until, now);
  }

  private refuse(reason: 'pumping' | 'cooldown', until: Date, now: Date): never {
    this.metrics.otpRefused(reason);
    throw otpRateLimit(until, now);
  }

  private ofPhone({ OwnerId, phone }: OfPhone): Limit[] {
    const key = `${OwnerId}:${phone}`;
    const { OTP_PHONE_PER_MINUTE, OTP_PHONE_PER_DAY } = this.config;
    return [
      { kind: 'phone', key, limit: OTP_PHONE_PER_MINUTE, seconds: MINUTE_SECONDS },
      { kind: 'day', key, limit: OTP_PHONE_PER_DAY, seconds: DAY_SECONDS },
    ];
  }
}
