import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Log } from './log.ts';
import { RateLimits } from './rate-limits.ts';
import { currentTime } from './time.ts';

const SYNC_MS = 100;
const MAX_KEYS_PER_CALL = 1000;
/** Keys in memory. Beyond this number those are dropped that were not used for longest; active ones are read again from Redis. */
const MAX_KEYS = 100_000;

/** Increments each key, sets its expiry on creation, and returns the sums. */
const ADD = `
local sums = {}
for i, key in ipairs(KEYS) do
  sums[i] = redis.call('INCRBY', key, ARGV[2 * i - 1])
  if sums[i] == tonumber(ARGV[2 * i - 1]) then redis.call('EXPIRE', key, ARGV[2 * i]) end
end
return sums`;

/** The count of a key in the current time window. */
export class Counter {
  /** The sum of all processes at the last synchronisation. */
  sum = 0;
  /** Counted by this process since then. */
  unsynced = 0;

  constructor(
    readonly key: string,
    readonly seconds: number,
    /** When the window ends, in milliseconds of the epoch. */
    readonly endsAt: number,
  ) {}

  get count(): number {
    return this.sum + this.unsynced;
  }
}

/**
 * Counters in fixed time windows, shared by all processes. Each process counts in memory and synchronises all keys with
 * Redis in one call every 100 ms, so that requests need no round trip. While Redis is unavailable each process counts by
 * itself.
 */
@Injectable()
export class SharedCounters implements OnApplicationShutdown {
  private readonly counters = new LRUCache<string, Counter>({ max: MAX_KEYS });
  private readonly unsynced = new Set<Counter>();
  private timer?: NodeJS.Timeout;
  private isSyncing = false;

  constructor(
    private readonly limits: RateLimits,
    private readonly log: Log,
  ) {}

  /** The counter of the current window. Windows are aligned to the epoch, so they are equal in all processes. */
  get(name: string, seconds: number): Counter {
    const now = currentTime();
    const known = this.counters.get(name);
    // A window that ends later than it is long is one of a clock that was put back since.
    const leftMs = known ? known.endsAt - now : 0;
    if (known?.seconds === seconds && leftMs > 0 && leftMs <= seconds * 1000) return known;
    const n = Math.floor(now / (seconds * 1000));
    const counter = new Counter(`count:${name}:${n}`, seconds, (n + 1) * seconds * 1000);
    this.counters.set(name, counter);
    return counter;
  }

  add(counter: Counter, n: number): void {
    counter.unsynced += n;
    this.unsynced.add(counter);
    this.timer ??= setTimeout(() => void this.sync(), SYNC_MS).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private async sync(): Promise<void> {
    this.timer = undefined;
    if (this.isSyncing) return;
    this.isSyncing = true;
    const batch = [...this.unsynced].map((counter) => ({ counter, n: counter.unsynced }));
    this.unsynced.clear();
    try {
      for (let from = 0; from < batch.length; from += MAX_KEYS_PER_CALL)
        await this.send(batch.slice(from, from + MAX_KEYS_PER_CALL));
    } finally {
      this.isSyncing = false;
      if (this.unsynced.size) this.timer ??= setTimeout(() => void this.sync(), SYNC_MS).unref();
    }
  }

  private async send(batch: { counter: Counter; n: number }[]): Promise<void> {
    const keys = batch.map(({ counter }) => counter.key);
    // The clock of another process may still be in a window that has just ended.
    const values = batch.flatMap(({ counter, n }) => [n, counter.seconds + 60]);
    const sums = await this.limits.redis
      .eval(ADD, keys.length, ...keys, ...values)
      .catch((error: unknown) => this.log.debug({ err: error }, 'failed to synchronise counters'));
    batch.forEach(({ counter, n }, i) => {
      counter.unsynced -= n;
      counter.sum = Array.isArray(sums) ? Number(sums[i]) : counter.sum + n;
    });
  }
}
