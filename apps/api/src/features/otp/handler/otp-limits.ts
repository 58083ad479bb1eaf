import { Injectable } from '@nestjs/common';
import { MAX_NETWORKS, otpPrefix, sessionCooldown } from '@heliograph/domain';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import type { AppError } from '../../../core/errors.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { OtpStatisticsStore } from '../settings/otp-statistics.store.ts';
import { OtpCounters, type Limit } from './otp-counters.ts';
import { otpRateLimit } from './otp-errors.ts';
import type { OtpSession } from './otp-session.ts';
import { OtpSessionsStore } from './otp-sessions.store.ts';

/** A number and the network from which it is to be confirmed; null if that is unknown. */
type OfPhone = Pick<OtpSession, 'OwnerId' | 'phone' | 'network'>;
interface CodeRequest extends OfPhone {
  widgetId: string;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** Requests that are counted by one transaction. */
const MAX_GROUP_SIZE = 200;

/** How many codes are sent and entered. docs/decisions/067-numbers-and-networks.md. Each refusal is `RateLimit` and says when a request may succeed. */
@Injectable()
export class OtpLimits {
  private readonly requests = new SharedCalls(
    (requests: CodeRequest[]) => this.db.transaction(() => this.takeRequests(requests)),
    { items: MAX_GROUP_SIZE, calls: 1 },
  );

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly counters: OtpCounters,
    private readonly sessions: OtpSessionsStore,
    private readonly blocks: OtpStatisticsStore,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Counts a request of a code, unless its range is blocked for pumping, in a transaction before that of the session: everyone counts
   * on the same rows, which must not stay locked while a session is started.
   */
  async takeRequest(request: CodeRequest): Promise<void> {
    await this.requests.add(request);
  }

  /**
   * Counts sessions, each of another number, in the transaction that starts them. The keys of the numbers are locked by their
   * counters, so that of concurrent requests only one passes the check of the wait between sessions. Null for those that may start.
   */
  async takeSessions(sessions: OfPhone[], now: Date): Promise<(AppError | null)[]> {
    const refusals = await this.counters.takeEach(
      sessions.map((session) => this.ofPhone(session)),
      now,
    );
    const recent = await this.sessions.unconfirmed(sessions, secondsAfter(now, -DAY_SECONDS));
    const cooling = recent.map(({ count, lastAt }, i) => {
      const until = lastAt && secondsAfter(lastAt, sessionCooldown(count));
      return !refusals[i] && until && until > now ? this.refusal('cooldown', until, now) : null;
    });
    await this.giveBack(
      sessions.filter((_, i) => cooling[i]),
      now,
    );
    return refusals.map((refusal, i) => refusal ?? cooling[i]!);
  }

  /** Takes back sessions that were counted at `now`, in the same transaction, and do not start. */
  giveBack(sessions: OfPhone[], now: Date): Promise<void> {
    return this.counters.giveBack(
      sessions.map((session) => this.ofPhone(session)),
      now,
    );
  }

  /** Counts another round of a session, in its transaction. */
  takeRound(session: OfPhone): Promise<void> {
    return this.counters.take(this.ofPhone(session));
  }

  /** Counts codes that were entered, over all sessions of a number, in a transaction. Null for those that may be compared. */
  takeGuesses(sessions: OfPhone[]): Promise<(AppError | null)[]> {
    const limit = this.config.OTP_GUESSES_PER_HOUR;
    return this.counters.takeEach(
      sessions.map((session) =>
        limited(...perNetwork(session, { kind: 'guess', limit, seconds: HOUR_SECONDS })),
      ),
      this.clock.now(),
    );
  }

  /** Counts a request without a captcha, and tells whether it is one of the free ones of its network. */
  isFree(widgetId: string, network: string, limit: number): Promise<boolean> {
    const key = `${widgetId}:${network}`;
    return this.counters.tryTake({ kind: 'free', key, limit, seconds: HOUR_SECONDS });
  }

  private async takeRequests(requests: CodeRequest[]): Promise<(AppError | null)[]> {
    const now = this.clock.now();
    const blocked = await this.blocks.blockedUntil(
      requests.map(({ OwnerId, phone }) => ({ OwnerId, prefix: otpPrefix(phone) })),
      now,
    );
    const refusals = await this.counters.takeEach(
      requests.map((request, i) => (blocked[i] ? [] : this.ofRequest(request))),
      now,
    );
    return refusals.map((refusal, i) => {
      const until = blocked[i];
      return until ? this.refusal('pumping', until, now) : refusal;
    });
  }

  private refusal(reason: 'pumping' | 'cooldown', until: Date, now: Date): AppError {
    this.metrics.otpRefused(reason);
    return otpRateLimit(until, now);
  }

  private ofRequest({ OwnerId, phone, widgetId, network }: CodeRequest): Limit[] {
    const { OTP_PREFIX_PER_MINUTE, OTP_WIDGET_PER_MINUTE, OTP_ADDRESS_PER_HOUR } = this.config;
    const range = `${OwnerId}:${otpPrefix(phone)}`;
    const limits: Limit[] = [
      { kind: 'prefix', key: range, limit: OTP_PREFIX_PER_MINUTE, seconds: MINUTE_SECONDS },
      { kind: 'widget', key: widgetId, limit: OTP_WIDGET_PER_MINUTE, seconds: MINUTE_SECONDS },
    ];
    if (network !== null) {
      const key = `${OwnerId}:${network}`;
      limits.push({ kind: 'address', key, limit: OTP_ADDRESS_PER_HOUR, seconds: HOUR_SECONDS });
    }
    return limited(...limits);
  }

  private ofPhone(session: OfPhone): Limit[] {
    const { OTP_PHONE_PER_MINUTE, OTP_PHONE_PER_DAY } = this.config;
    const minute = { kind: 'phone', limit: OTP_PHONE_PER_MINUTE, seconds: MINUTE_SECONDS } as const;
    const day = { kind: 'day', limit: OTP_PHONE_PER_DAY, seconds: DAY_SECONDS } as const;
    return limited(...perNetwork(session, minute), ...perNetwork(session, day));
  }
}

/** A limit of a number for its network, and that for all networks, which a stranger in one network does not reach. */
function perNetwork({ OwnerId, phone, network }: OfPhone, limit: Omit<Limit, 'key'>): Limit[] {
  const key = `${OwnerId}:${phone}`;
  return [
    { ...limit, key: `${key}:${network ?? ''}` },
    { ...limit, key, limit: limit.limit * MAX_NETWORKS },
  ];
}

/** In settings 0 is unlimited. */
const limited = (...limits: Limit[]): Limit[] => limits.filter(({ limit }) => limit > 0);
