import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import type { AppError } from '../../../core/errors.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { OtpCountersStore } from './otp-counters.store.ts';
import { otpRateLimit } from './otp-errors.ts';

/** So many events of one kind and key in a window of time. */
export interface Limit {
  kind:
    | 'phone'
    | 'day'
    | 'prefix'
    | 'widget'
    | 'address'
    | 'unconfirmed'
    | 'confirmed'
    | 'told'
    | 'guess'
    | 'free'
    | 'captcha';
  key: string;
  limit: number;
  seconds: number;
}

export type Event = Omit<Limit, 'limit'>;

/** A limit that refuses, and until when. */
export type Exceeded = Limit & { until: Date };

/** An event that is counted in no transaction, in one or several windows. */
interface Alone {
  key: Buffer;
  endsAt: Date[];
}

const CLEANUP_BATCH_SIZE = 2000;
/** The longest window whose counts are read after its end, too. */
const LONGEST_RECENT_SECONDS = 3600;
/** Events that are counted by one statement. */
const MAX_GROUP_SIZE = 100;

/**
 * Limits in Postgres, so that they hold for all processes, under concurrency and while Redis is away. A count in a transaction locks
 * its key until the end of it. Keys are stored as hashes, because they name people.
 */
@Injectable()
export class OtpCounters {
  private readonly alone = new SharedCalls((events: Alone[]) => this.addEach(events), {
    items: MAX_GROUP_SIZE,
    calls: 1,
    keyOf: ({ key }) => key.toString('hex'),
  });

  constructor(
    private readonly clock: Clock,
    private readonly store: OtpCountersStore,
    private readonly secrets: GeneratedSecrets,
    private readonly metrics: Metrics,
  ) {}

  /** Counts one event of each key, in a transaction; throws `RateLimit` if one of them is over its limit. */
  async take(limits: Limit[]): Promise<void> {
    const [refusal] = await this.takeEach([limits], this.clock.now());
    if (refusal) throw refusal;
  }

  /**
   * Counts one event of each key of several requests, one after another, in the caller's transaction. A request that is over one of
   * its limits gets a `RateLimit` and counts nowhere; the others get null. `note` is told of the limits that refuse one.
   */
  async takeEach(
    requests: Limit[][],
    now: Date,
    note: (exceeded: Exceeded[]) => void = () => {},
  ): Promise<(AppError | null)[]> {
    const counts = await this.add(requests.flat(), now, 1);
    const refusals = requests.map((limits) => {
      const exceeded = limits
        .filter((one) => counts.get(nameOf(one))! >= one.limit)
        .map((one) => ({ ...one, until: windowEnd(now, one.seconds) }));
      if (!exceeded.length) {
        for (const name of limits.map(nameOf)) counts.set(name, counts.get(name)! + 1);
        return null;
      }
      for (const { kind } of exceeded) this.metrics.otpRefused(kind);
      note(exceeded);
      const until = Math.max(...exceeded.map((one) => one.until.getTime()));
      return otpRateLimit(new Date(until), now);
    });
    await this.giveBack(
      requests.filter((_, i) => refusals[i]),
      now,
    );
    return refusals;
  }

  /** Takes back what `takeEach` counted at `now` in the same transaction. */
  async giveBack(requests: Limit[][], now: Date): Promise<void> {
    await this.add(requests.flat(), now, -1);
  }

  /** Counts one event of each key, in the caller's transaction; those of them that are the first of their window. */
  async firsts(events: Event[], now: Date): Promise<Event[]> {
    const counts = await this.add(events, now, 1);
    return events.filter((event) => counts.get(nameOf(event)) === 0);
  }

  /** Counts an event, in no transaction, and tells whether it is within the limit. */
  async tryTake({ limit, ...event }: Limit): Promise<boolean> {
    const [count] = await this.addAlone(event, [this.clock.now()]);
    return count! <= limit;
  }

  /**
   * Whether this is the first event of its key for `seconds` at least: it counts in the next window, too, before which it may just
   * happen. One statement counts both, so that exactly one of concurrent events is the first.
   */
  async isFirst(event: Event): Promise<boolean> {
    const now = this.clock.now();
    const counts = await this.addAlone(event, [now, secondsAfter(now, event.seconds)]);
    return counts.every((count) => count === 1);
  }

  /** Counts events, or takes them back, in no transaction. */
  async tally(events: Event[], sign: 1 | -1 = 1): Promise<void> {
    await this.add(events, this.clock.now(), sign);
  }

  /** How many events of each key were counted in this window and in so many before it. */
  async counts(events: Event[], now: Date, before = 0): Promise<number[]> {
    const secret = await this.secrets.get('otp');
    return this.store.sums(
      events.map((event) => ({
        key: hashOf(nameOf(event), secret),
        since: windowEnd(secondsAfter(now, -before * event.seconds), event.seconds),
      })),
    );
  }

  @Sweeps(10_000)
  async deleteEnded(): Promise<boolean> {
    const before = secondsAfter(this.clock.now(), -LONGEST_RECENT_SECONDS);
    const deleted = await this.store.deleteEnded(before, CLEANUP_BATCH_SIZE);
    return deleted === CLEANUP_BATCH_SIZE;
  }

  /** Counts an event in the windows of some times; returns the new counts. */
  private async addAlone(event: Event, times: Date[]): Promise<number[]> {
    const key = hashOf(nameOf(event), await this.secrets.get('otp'));
    const endsAt = times.map((at) => windowEnd(at, event.seconds));
    return this.alone.add({ key, endsAt });
  }

  private async addEach(events: Alone[]): Promise<number[][]> {
    const counts = await this.store.add(
      events.flatMap(({ key, endsAt }) => endsAt.map((end) => ({ key, endsAt: end, added: 1 }))),
    );
    return events.map(({ endsAt }) => counts.splice(0, endsAt.length));
  }

  /** Adds one of each event; returns the counts before that, by name. */
  private async add(counted: Event[], now: Date, sign: 1 | -1): Promise<Map<string, number>> {
    const byName = Map.groupBy(counted, nameOf);
    if (!byName.size) return new Map();
    const secret = await this.secrets.get('otp');
    const events = [...byName].map(([name, same]) => ({
      key: hashOf(name, secret),
      endsAt: windowEnd(now, same[0]!.seconds),
      added: sign * same.length,
    }));
    const counts = await this.store.add(events);
    return new Map([...byName.keys()].map((name, i) => [name, counts[i]! - events[i]!.added]));
  }
}

const nameOf = ({ kind, key }: Pick<Limit, 'kind' | 'key'>): string => `${kind}:${key}`;
const hashOf = (name: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(name).digest();

/** Windows are aligned to the epoch, so they are the same in all processes. */
export function windowEnd(now: Date, seconds: number): Date {
  const ms = seconds * 1000;
  return new Date((Math.floor(now.getTime() / ms) + 1) * ms);
}
