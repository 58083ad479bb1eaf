import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { channelName, FAIL_FAST, openRedis, WAIT } from '../redis.ts';

/** A request that waits for a change of a key. */
export class Waiter {
  /** The state that the waiter knows. */
  version = '';
  private isWoken = false;
  private end?: () => void;

  constructor(readonly key: string) {}

  /** Until it is woken, which it may have been since the last time, and for so long at most. */
  async wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.end = resolve;
    if (this.isWoken) resolve();
    await promise;
    clearTimeout(timer);
    this.isWoken = false;
  }

  wake(): void {
    this.isWoken = true;
    this.end?.();
  }
}

/**
 * Wakes requests that wait for a row, in all API processes, over one subscription of each process. A message says only that the row
 * has changed; a lost one is made up for by `waiting`, which a service compares with the database from time to time.
 */
@Injectable()
export class Wakeups implements OnApplicationShutdown {
  private readonly waiters = new Map<string, Set<Waiter>>();
  private publisher?: Redis;
  private subscriber?: Redis;
  private isClosed = false;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** After the commit of the change. */
  publish(keys: string[]): void {
    if (!keys.length || this.isClosed) return;
    this.wake(keys);
    this.publisher ??= openRedis(this.config, this.log, { ...FAIL_FAST, lazyConnect: false });
    this.publisher.publish(this.channel(this.publisher), keys.join(' ')).catch(() => undefined);
  }

  /** Waits from now on; the caller reads the row afterwards, so that no change is missed. */
  join(key: string): Waiter {
    this.subscribe();
    const waiter = new Waiter(key);
    const set = this.waiters.get(key) ?? new Set();
    this.waiters.set(key, set.add(waiter));
    return waiter;
  }

  leave(waiter: Waiter): void {
    const set = this.waiters.get(waiter.key);
    set?.delete(waiter);
    if (!set?.size) this.waiters.delete(waiter.key);
  }

  /** All waiters of this process. */
  waiting(): Waiter[] {
    return [...this.waiters.values()].flatMap((set) => [...set]);
  }

  wakeAll(): void {
    this.wake([...this.waiters.keys()]);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.wakeAll();
    this.publisher?.disconnect();
    this.subscriber?.disconnect();
  }

  private wake(keys: string[]): void {
    for (const key of keys) for (const waiter of this.waiters.get(key) ?? []) waiter.wake();
  }

  private subscribe(): void {
    if (this.subscriber || this.isClosed) return;
    const redis = openRedis(this.config, this.log, WAIT);
    this.subscriber = redis;
    redis.on('message', (_channel: string, keys: string) => this.wake(keys.split(' ')));
    redis.subscribe(this.channel(redis)).catch(() => undefined);
    // What was published during a gap is lost.
    redis.on('ready', () => this.wakeAll());
  }

  private channel(redis: Redis): string {
    return channelName(this.config, redis, 'wakeups');
  }
}
