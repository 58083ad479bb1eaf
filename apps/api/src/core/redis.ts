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
  logOutages(redis, log);
  return redis;
}

const REPEAT_MS = 60_000;
/** When an outage was logged last, of all connections of a process. */
const logged = new WeakMap<Log, number>();

/** The first error of an outage is logged at once, also when no connection ever stood, then one a minute; its end once. */
function logOutages(redis: Redis, log: Log): void {
  redis.on('error', (error) => {
    const last = logged.get(log);
    if (last !== undefined && performance.now() - last < REPEAT_MS)
      return log.debug({ err: error }, 'Redis unavailable');
    logged.set(log, performance.now());
    log.error({ err: error }, 'Redis unavailable; sweeps do the work of its jobs');
  });
  redis.on('ready', () => {
    if (logged.delete(log)) log.info('Redis available again');
  });
}

/**
 * The prefix of the channels of socket events. Channels are not part of a Redis database, so without its number installations that
 * share a server would receive each other's events.
 */
export const channelPrefix = (redis: Redis): string => `socket.io/${redis.options.db ?? 0}`;
