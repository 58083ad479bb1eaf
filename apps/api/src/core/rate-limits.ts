import { MAX_NETWORKS } from '@heliograph/domain';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from './config.ts';
import { AppError } from './errors.ts';
import { Log } from './log.ts';
import { FAIL_FAST, openRedis, redisPrefix } from './redis.ts';

/** Redis counts as unavailable after this time. */
const COMMAND_MS = 1000;

type State = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** Rate limiters shared by all processes through Redis. While Redis is unavailable each process counts by itself. */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  /** Prefixes the keys of its commands. */
  readonly redis: Redis;

  constructor(config: Config, log: Log) {
    this.redis = openRedis(config, log, {
      ...FAIL_FAST,
      commandTimeout: COMMAND_MS,
      keyPrefix: redisPrefix(config),
    });
  }

  /** A limiter of `points` per `duration` seconds and key. */
  of(keyPrefix: string, points: number, duration: number): RateLimiterRedis {
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points, duration });
    return new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix,
      points,
      duration,
      insuranceLimiter,
    });
  }

  /** `points` for a subject and a network, and as many as in some networks over all. */
  ofSubject(keyPrefix: string, points: number, duration: number): SubjectLimit {
    return new SubjectLimit(
      this.of(`${keyPrefix}:network`, points, duration),
      this.of(keyPrefix, points * MAX_NETWORKS, duration),
    );
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

/**
 * A limit for a name, an address or a number that anyone may type: a stranger in another network does not use it up.
 * docs/decisions/067-numbers-and-networks.md.
 */
export class SubjectLimit {
  constructor(
    private readonly within: RateLimiterRedis,
    private readonly overall: RateLimiterRedis,
  ) {}

  async take(subject: string, network: string): Promise<void> {
    await take(this.within, `${subject}|${network}`);
    await take(this.overall, subject);
  }
}

/** The limiter with the points of a setting, which may have changed. */
export function withPoints(limiter: RateLimiterRedis, points: number): RateLimiterRedis {
  limiter.points = points;
  const { insuranceLimiter } = limiter as unknown as { insuranceLimiter: RateLimiterMemory };
  insuranceLimiter.points = points;
  return limiter;
}

/** Consumes a point, or throws `rate_limited` if none is left. */
export function take(limiter: RateLimiterRedis, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((state: unknown) => {
    throw state instanceof RateLimiterRes ? rateLimited(state, limiter.points) : state;
  });
}

/** `x-ratelimit-limit`, `-remaining` and `-reset` (unix seconds). */
export function rateHeaders(state: State, limit: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - state.consumedPoints)),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)),
  };
}

/** An error with the time of the next attempt in headers and in `payload.expires_at`. */
export function rateLimited(state: State, limit: number): AppError {
  const retry = { 'retry-after': String(Math.ceil(state.msBeforeNext / 1000)) };
  return new AppError('rate_limited', undefined, {
    headers: { ...rateHeaders(state, limit), ...retry },
    payload: { expires_at: new Date(Date.now() + state.msBeforeNext).toISOString() },
  });
}
