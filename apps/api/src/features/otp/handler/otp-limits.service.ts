import { Injectable } from '@nestjs/common';
import {
  MAX_NETWORKS,
  otpPrefix,
  otpRangeLimit,
  otpRanges,
  sessionCooldown,
} from '@heliograph/domain';
import { LRUCache } from 'lru-cache';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import type { AppError } from '../../../core/errors.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Notifications } from '../../../core/notifications.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { OtpStatisticsStore } from '../settings/otp-statistics.store.ts';
import { OtpCounters, windowEnd, type Event, type Exceeded, type Limit } from './otp-counters.ts';
import { otpRateLimit } from './otp-errors.ts';
import type { OtpSession } from './otp-session.ts';
import { OtpSessionsStore } from './otp-sessions.store.ts';

/** A number and the network from which it is to be confirmed; null if that is unknown. */
type OfPhone = Pick<OtpSession, 'OwnerId' | 'phone' | 'network' | 'isTest'>;
type OfNumber = Pick<OtpSession, 'OwnerId' | 'phone' | 'isTest'>;
interface CodeRequest extends OfPhone {
  widgetId: string;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** A number that was confirmed within this time is known: no limit of what others leave unconfirmed holds for it. */
const KNOWN_SECONDS = 31 * DAY_SECONDS;
/** Ranges of which a process knows that their owners were told. */
const MAX_TOLD = 10_000;
/** Requests that are counted by one transaction. */
const MAX_GROUP_SIZE = 200;

/**
 * How many codes are sent and entered. docs/decisions/067-numbers-and-networks.md. Each refusal is `RateLimit` and says when a request may
 * succeed. Tests are counted as test messages alone.
 */
@Injectable()
export class OtpLimits {
  private readonly requests = new SharedCalls(
    (requests: CodeRequest[]) => this.db.transaction(() => this.takeRequests(requests)),
    { items: MAX_GROUP_SIZE, calls: 1 },
  );

  /** Ranges of accounts whose owners were told, and until when, in milliseconds, they are not told again. */
  private readonly told = new LRUCache<string, number>({ max: MAX_TOLD });

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly counters: OtpCounters,
    private readonly sessions: OtpSessionsStore,
    private readonly blocks: OtpStatisticsStore,
    private readonly metrics: Metrics,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Counts a request of a code, unless its range is blocked for pumping, in a transaction before that of the session: everyone counts
   * on the same rows, which must not stay locked while a session is started.
   */
  async takeRequest(request: CodeRequest): Promise<void> {
    if (!request.isTest) await this.requests.add(request);
  }

  /** Counts an e-mail that a visitor asks for, by account and network: what is sent to numbers costs more, and has limits of its own. */
  async takeEmailRequest({
    OwnerId,
    network,
  }: Pick<CodeRequest, 'OwnerId' | 'network'>): Promise<void> {
    const { OTP_WIDGET_PER_MINUTE, OTP_ADDRESS_PER_HOUR } = this.config;
    await this.db.transaction(() =>
      this.counters.take(
        limited(
          {
            kind: 'widget',
            key: OwnerId,
            limit: OTP_WIDGET_PER_MINUTE,
            seconds: MINUTE_SECONDS,
          },
          {
            kind: 'address',
            key: `${OwnerId}:${network}`,
            limit: OTP_ADDRESS_PER_HOUR,
            seconds: HOUR_SECONDS,
          },
        ),
      ),
    );
  }

  /** Counts another code of a session, where nobody may have confirmed the others. */
  async takeResend(session: OfPhone): Promise<void> {
    if (session.isTest) return;
    const [refusal] = await this.db.transaction(async () => {
      const now = this.clock.now();
      const limits = await this.ofRanges([session], now);
      return this.takeEach(limits, now);
    });
    if (refusal) throw refusal;
  }

  /** Takes back what was counted for a code that was not sent. */
  async giveBackCode(request: OfNumber): Promise<void> {
    if (this.config.OTP_UNCONFIRMED_PER_HOUR && !request.isTest)
      await this.counters.tally(rangeEvents(request, 'unconfirmed'), -1);
  }

  /** Counts codes that were confirmed: their ranges take more. */
  async countConfirmed(sessions: OfNumber[]): Promise<void> {
    const real = sessions.filter(({ isTest }) => !isTest);
    if (this.config.OTP_UNCONFIRMED_PER_HOUR)
      await this.counters.tally(real.flatMap((session) => rangeEvents(session, 'confirmed')));
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
      const mayWait = !refusals[i] && !sessions[i]!.isTest;
      return mayWait && until && until > now ? this.refusal('cooldown', until, now) : null;
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
        session.isTest
          ? []
          : limited(...perNetwork(session, { kind: 'guess', limit, seconds: HOUR_SECONDS })),
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
    const ranges = await this.ofRanges(requests, now);
    const refusals = await this.takeEach(
      requests.map((request, i) => (blocked[i] ? [] : [...this.ofRequest(request), ...ranges[i]!])),
      now,
    );
    return refusals.map((refusal, i) => {
      const until = blocked[i];
      return until ? this.refusal('pumping', until, now) : refusal;
    });
  }

  /** Counts events of requests in the transaction, and tells the owner of the widest range that takes no more of one, once a day. */
  private async takeEach(requests: Limit[][], now: Date): Promise<(AppError | null)[]> {
    const full = new Map<string, Exceeded>();
    const refusals = await this.counters.takeEach(requests, now, (exceeded) => {
      const widest = exceeded.find(({ kind }) => kind === 'unconfirmed');
      if (widest && !((this.told.get(widest.key) ?? 0) > now.getTime()))
        full.set(widest.key, widest);
    });
    if (!full.size) return refusals;
    const events = [...full.keys()].map((key) => ({
      kind: 'told' as const,
      key,
      seconds: DAY_SECONDS,
    }));
    const firsts = await this.counters.firsts(events, now);
    await this.notifications.notifyAll(
      'OtpRangeLimit',
      firsts.map(({ key }) => {
        const [OwnerId, range] = key.split(':') as [string, string];
        const date = full.get(key)!.until.toISOString();
        return { OwnerId, data: { date, range: range.length > 1 ? range : null } };
      }),
    );
    const until = windowEnd(now, DAY_SECONDS).getTime();
    this.db.afterCommit(() => full.forEach((_, key) => this.told.set(key, until)));
    return refusals;
  }

  private refusal(reason: 'pumping' | 'cooldown', until: Date, now: Date): AppError {
    this.metrics.otpRefused(reason);
    return otpRateLimit(until, now);
  }

  /** The limits of codes that nobody confirms. docs/decisions/126-codes-that-nobody-confirms.md. */
  private async ofRanges(requests: OfNumber[], now: Date): Promise<Limit[][]> {
    const base = this.config.OTP_UNCONFIRMED_PER_HOUR;
    if (!base) return requests.map(() => []);
    const of = (kind: 'unconfirmed' | 'confirmed') =>
      requests.flatMap((request) => rangeEvents(request, kind));
    const events = of('unconfirmed');
    const counted = await this.counters.counts(events, now);
    const confirmed = await this.counters.counts(of('confirmed'), now, 1);
    const limits = events.map((event, i) => ({
      ...event,
      limit: otpRangeLimit(base, confirmed[i]!),
      isReached: counted[i]! >= otpRangeLimit(base, confirmed[i]!),
    }));
    const each = requests.map((request, i) => {
      const size = limits.length / requests.length;
      return { request, limits: limits.slice(i * size, (i + 1) * size) };
    });
    const full = each.filter((one) => one.limits.some(({ isReached }) => isReached));
    const known = await this.sessions.known(
      full.map(({ request }) => request),
      secondsAfter(now, -KNOWN_SECONDS),
    );
    const exempt = new Set(full.filter((_, i) => known[i]));
    return each.map((one) => (exempt.has(one) ? [] : one.limits));
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
    if (session.isTest) return [];
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

const rangeEvents = ({ OwnerId, phone }: OfNumber, kind: 'unconfirmed' | 'confirmed'): Event[] =>
  otpRanges(phone).map((range) => ({ kind, key: `${OwnerId}:${range}`, seconds: HOUR_SECONDS }));

/** In settings 0 is unlimited. */
const limited = (...limits: Limit[]): Limit[] => limits.filter(({ limit }) => limit > 0);
