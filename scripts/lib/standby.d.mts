import type { OwnRedis } from './redis.d.mts';

export function standby(options: {
  dataDir: string;
  primary: OwnRedis;
  durable?: boolean;
}): Promise<OwnRedis>;
