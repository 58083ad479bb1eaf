import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { Log } from '../../core/log.ts';

const WINDOW_SECONDS = 15 * 60;
export const LOGIN_LIMIT = 5;
const ADDRESS_LIMIT = 50;

/**
 * Failures count: 5 in 15 minutes for a name from an address, 50 for an address. A remembered device of the name has a
 * count of its own, so that strangers at the same address cannot lock its owner out. Shared by all processes through
 * Redis; while Redis is away each process counts for itself.
 */
@Injectable()
export class LoginLimit implements OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly byName: RateLimiterRedis;
  private readonly byAddress: RateLimiterRedis;

  constructor(config: Config, log: Log) {
    this.redis = new Redis(config.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    this.redis.on('error', (error) => log.debug({ err: error }, 'redis is away'));
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterRedis({
        storeClient: this.redis,
        keyPrefix,
        points,
        duration: WINDOW_SECONDS,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS }),
      });
    this.byName = limiter('login:name', LOGIN_LIMIT);
    this.byAddress = limiter('login:address', ADDRESS_LIMIT);
  }

  /** Throws `rate_limited` when a name from an address, or the address, has failed too often. */
  async check(username: string, ip: string, device: string | null): Promise<void> {
    const [name, address] = await Promise.all([
      this.byName.get(key(username, device ?? ip)),
      device ? null : this.byAddress.get(ip),
    ]);
    if (name && name.consumedPoints >= LOGIN_LIMIT) throw refused(name, LOGIN_LIMIT);
    if (address && address.consumedPoints >= ADDRESS_LIMIT) throw refused(address, ADDRESS_LIMIT);
  }

  /** Counts a failure and says what is left. */
  async failed(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    const [name] = await Promise.all([
      this.byName.penalty(key(username, device ?? ip)),
      this.byAddress.penalty(ip),
    ]);
    return headers(name, LOGIN_LIMIT);
  }

  /** Forgets the name's failures; the address keeps its own. */
  async succeeded(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    await this.byName.delete(key(username, device ?? ip));
    return headers({ consumedPoints: 0, msBeforeNext: 0 }, LOGIN_LIMIT);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

const key = (username: string, from: string) => `${username.toLowerCase()}|${from}`;

function headers(
  state: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
  limit: number,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - state.consumedPoints)),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)),
  };
}

function refused(state: RateLimiterRes, limit: number): AppError {
  const retry = { 'retry-after': String(Math.ceil(state.msBeforeNext / 1000)) };
  return new AppError('rate_limited', undefined, {
    headers: { ...headers(state, limit), ...retry },
  });
}
