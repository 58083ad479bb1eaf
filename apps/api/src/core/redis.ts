import { Redis, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** Commands fail immediately while Redis is unavailable. */
export const FAIL_FAST: RedisOptions = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };
/** Commands wait for reconnection: for subscriptions and queues. */
export const WAIT: RedisOptions = { maxRetriesPerRequest: null };

/** Opens a Redis connection. All connections are opened here, since one without an error listener would end the process. */
export function openRedis(
  { REDIS_URL }: Pick<Config, 'REDIS_URL'>,
  log: Log,
  options: RedisOptions,
): Redis {
  const redis = new Redis(REDIS_URL, options);
  redis.on('error', (error) => log.debug({ err: error }, 'redis unavailable'));
  return redis;
}

/**
 * The prefix of the channels of socket events. Channels are not part of a Redis database, so without its number installations that
 * share a server would receive each other's events.
 */
export const channelPrefix = (redis: Redis): string => `socket.io/${redis.options.db ?? 0}`;
