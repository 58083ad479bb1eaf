import type { OwnRedis } from './redis.d.mts';

/** A server of ours: the same handles as Redis has. */
export function pgbouncer(options: {
  dataDir: string;
  url: string;
  size?: number;
  port?: number;
}): Promise<OwnRedis>;
