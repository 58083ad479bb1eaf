import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { Clock } from '../../../core/clock.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { OtpCountersStore } from './otp-counters.store.ts';
import { otpRateLimit } from './otp-errors.ts';

/** So many events of one kind and key in a window of time; 0 is unlimited. */
export interface Limit {
  kind: 'phone' | 'day' | 'prefix' | 'widget' | 'address' | 'guess' | 'free' | 'captcha';
  key: string;
  limit: number;
  seconds: number;
}

const CLEANUP_BATCH_SIZE = 2000;

/**
 * Limits in Postgres, so that they hold for all processes, under concurrency and while Redis is away. A count in a transaction locks
 * its key until the end of it. Keys are stored as hashes, because they name people.
 */
@Injectable()
export class OtpCounters {
  constructor(
    private readonly clock: Clock,
    private readonly store: OtpCountersStore,
    private readonly secrets: GeneratedSecrets,
    private readonly metrics: Metrics,
  ) {}

  /** Counts one event of each key, and throws `RateLimit` if one of them is over its limit. */
  async take(limits: Limit[]): Promise<void> {
    const now = this.clock.now();
    const counted = limits.filter(({ limit }) => limit > 0);
    if (!counted.length) return;
    const rows = await this.count(counted, now);
    const exceeded = rows.filter(({ count }, i) => count > counted[i]!.limit);
    if (!exceeded.length) return;
    for (const [i, { count }] of rows.entries())
      if (count > counted[i]!.limit) this.metrics.otpRefused(counted[i]!.kind);
    const until = Math.max(...exceeded.map(({ endsAt }) => endsAt.getTime()));
    throw otpRateLimit(new Date(until), now);
  }

  /** Counts an event and tells whether it is within the limit. */
  async tryTake(limit: Limit): Promise<boolean> {
    const [row] = await this.count([limit], this.clock.now());
    return row!.count <= limit.limit;
  }

  @Sweeps(10_000)
  async deleteEnded(): Promise<boolean> {
    const deleted = await this.store.deleteEnded(this.clock.now(), CLEANUP_BATCH_SIZE);
    return deleted === CLEANUP_BATCH_SIZE;
  }

  /** In the order of `limits`. */
  private async count(limits: Limit[], now: Date): Promise<{ count: number; endsAt: Date }[]> {
    const secret = await this.secrets.get('otp');
    const keys = limits.map(({ kind, key }) =>
      createHmac('sha256', secret).update(`${kind}:${key}`).digest(),
    );
    const ends = limits.map(({ seconds }) => windowEnd(now, seconds));
    const rows = await this.store.count(keys, ends);
    return rows.map(({ n, count }) => ({ count, endsAt: ends[n - 1]! }));
  }
}

/** Windows are aligned to the epoch, so they are the same in all processes. */
function windowEnd(now: Date, seconds: number): Date {
  const ms = seconds * 1000;
  return new Date((Math.floor(now.getTime() / ms) + 1) * ms);
}
