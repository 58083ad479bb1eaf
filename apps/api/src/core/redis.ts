import { Redis, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** A command fails at once while Redis is away. */
export const FAIL_FAST: RedisOptions = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };
/** A command waits until Redis is back: for subscriptions and queues. */
export const WAIT: RedisOptions = { maxRetriesPerRequest: null };

/** The only place that opens a connection to Redis: one without an error listener would end the process. */
export function openRedis(
  { REDIS_URL }: Pick<Config, 'REDIS_URL'>,
  log: Log,
  options: RedisOptions,
): Redis {
  const redis = new Redis(REDIS_URL, options);
  redis.on('error', (error) => log.debug({ err: error }, 'redis is away'));
  return redis;
}
