import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from './log.ts';
import { RateLimits } from './rate-limits.ts';

const SYNC_MS = 100;
const MAX_KEYS_PER_CALL = 1000;
/** Keys in memory; they are forgotten together, and Redis tells again of those that are still counted. */
const MAX_KEYS = 100_000;

/** Adds to each key, which expires of itself, and answers the sums. */
const ADD = `
local sums = {}
for i, key in ipairs(KEYS) do
  sums[i] = redis.call('INCRBY', key, ARGV[2 * i - 1])
  if sums[i] == tonumber(ARGV[2 * i - 1]) then redis.call('EXPIRE', key, ARGV[2 * i]) end
end
return sums`;

/** What was counted under a key in the window of time that runs. */
export class Counter {
  /** Of all processes, as far as Redis has told, and of this one since. */
  sum = 0;
  untold = 0;

  constructor(
    readonly key: string,
    readonly seconds: number,
    /** When the window ends, in milliseconds of the epoch. */
    readonly endsAt: number,
  ) {}

  get count(): number {
    return this.sum + this.untold;
  }
}

/**
 * Counts in windows of time, shared by all processes. A process counts in memory and tells Redis ten times a second, all
 * keys in one call: counting costs a request no round trip, and others hear of it a tenth of a second later. While Redis is
 * away each process counts for itself.
 */
@Injectable()
export class SharedCounters implements OnApplicationShutdown {
  private readonly counters = new Map<string, Counter>();
  private readonly untold = new Set<Counter>();
  private timer?: NodeJS.Timeout;
  private isSyncing = false;

  constructor(
    private readonly limits: RateLimits,
    private readonly log: Log,
  ) {}

  /** Windows begin at the same time in every process. */
  get(name: string, seconds: number): Counter {
    const now = Date.now();
    const known = this.counters.get(name);
    if (known && known.endsAt > now && known.seconds === seconds) return known;
    if (this.counters.size >= MAX_KEYS) this.counters.clear();
    const n = Math.floor(now / (seconds * 1000));
    const counter = new Counter(`count:${name}:${n}`, seconds, (n + 1) * seconds * 1000);
    this.counters.set(name, counter);
    return counter;
  }

  add(counter: Counter, n: number): void {
    counter.untold += n;
    this.untold.add(counter);
    this.timer ??= setTimeout(() => void this.sync(), SYNC_MS).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private async sync(): Promise<void> {
    this.timer = undefined;
    if (this.isSyncing) return;
    this.isSyncing = true;
    const told = [...this.untold].map((counter) => ({ counter, n: counter.untold }));
    this.untold.clear();
    try {
      for (let from = 0; from < told.length; from += MAX_KEYS_PER_CALL)
        await this.tell(told.slice(from, from + MAX_KEYS_PER_CALL));
    } finally {
      this.isSyncing = false;
      if (this.untold.size) this.timer ??= setTimeout(() => void this.sync(), SYNC_MS).unref();
    }
  }

  private async tell(told: { counter: Counter; n: number }[]): Promise<void> {
    const keys = told.map(({ counter }) => counter.key);
    // A window that has just ended may still be asked for by a clock that is late.
    const values = told.flatMap(({ counter, n }) => [n, counter.seconds + 60]);
    const sums = await this.limits.redis
      .eval(ADD, keys.length, ...keys, ...values)
      .catch((error: unknown) => this.log.debug({ err: error }, 'counts are not shared'));
    told.forEach(({ counter, n }, i) => {
      counter.untold -= n;
      counter.sum = Array.isArray(sums) ? Number(sums[i]) : counter.sum + n;
    });
  }
}
