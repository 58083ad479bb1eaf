import {
  Redis,
  SentinelConnector,
  type RedisOptions,
  type SentinelConnectionOptions,
} from 'ioredis';
import { Socket } from 'node:net';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** Commands fail immediately while Redis is unavailable. */
export const FAIL_FAST: RedisOptions = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };
/** Commands wait for reconnection: for subscriptions and queues. */
export const WAIT: RedisOptions = { maxRetriesPerRequest: null };

/** The settings of connections; tests give only the address. */
export type RedisSettings = Pick<Config, 'REDIS_URL'> &
  Partial<Pick<Config, 'REDIS_SENTINELS' | 'REDIS_SENTINEL_NAME' | 'REDIS_SENTINEL_PASSWORD'>>;

/** Opens a Redis connection. All connections are opened here, since one without an error listener would end the process. */
export function openRedis(settings: RedisSettings, log: Log, options: RedisOptions): Redis {
  const redis = new Redis(settings.REDIS_URL, { ...options, ...sentinels(settings) });
  logOutages(redis, log);
  return redis;
}

/**
 * With Sentinel, the host of `REDIS_URL` is not used; its user, password, database and TLS are. A connection also listens to the
 * sentinels and leaves a Redis that another has replaced: one that hangs, or whose machine lost its power, does not close it.
 */
function sentinels(settings: RedisSettings): RedisOptions {
  const { REDIS_URL, REDIS_SENTINELS, REDIS_SENTINEL_NAME, REDIS_SENTINEL_PASSWORD } = settings;
  if (!REDIS_SENTINELS) return {};
  const isTls = REDIS_URL.startsWith('rediss:');
  return {
    sentinels: REDIS_SENTINELS.map((sentinel) => {
      const { hostname, port } = new URL(`redis://${sentinel}`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
    }),
    name: REDIS_SENTINEL_NAME,
    sentinelPassword: REDIS_SENTINEL_PASSWORD,
    failoverDetector: true,
    Connector,
    enableTLSForSentinelMode: isTls,
    ...(isTls && { sentinelTLS: {} }),
  };
}

/**
 * The client prints errors of connections to sentinels; what matters of them is an error of its own connection. A connection that
 * is given up while the sentinels are asked, because one of them says meanwhile that there is another primary, ends like one
 * that was open: the client would take it as ended for good.
 */
class Connector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const open = this['connectToSentinel'].bind(this) as (...of: unknown[]) => Redis;
    this['connectToSentinel'] = (...of: unknown[]) => open(...of).on('error', () => undefined);
  }

  override connect(...of: Parameters<SentinelConnector['connect']>): Promise<Socket> {
    return super.connect(...of).catch(() => new Socket().destroy());
  }
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

/** What the names of all keys and channels begin with, in the form of a hash tag: a script names several keys of an installation. */
export const redisPrefix = ({ REDIS_PREFIX }: Pick<Config, 'REDIS_PREFIX'>): string =>
  REDIS_PREFIX ? `{${REDIS_PREFIX}}:` : '';

/** Of the keys of job queues. */
export const queuePrefix = (config: Pick<Config, 'REDIS_PREFIX'>): string =>
  `${redisPrefix(config)}bull`;

/**
 * The name of a channel, or what names of channels begin with. Channels are not part of a Redis database, so without its number
 * installations that share a server would receive each other's events.
 */
export const channelName = (
  config: Pick<Config, 'REDIS_PREFIX'>,
  redis: Redis,
  name: string,
): string => `${redisPrefix(config)}${name}/${redis.options.db ?? 0}`;
