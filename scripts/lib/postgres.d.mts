import type { OwnRedis } from './redis.d.mts';

/** A server of ours: the same handles as Redis has. */
export function postgres(options: {
  dataDir: string;
  durable?: boolean;
  logFile?: string;
}): Promise<OwnRedis>;
