// The servers and tools that start, dev, test and bench bring up by themselves.
import { join } from 'node:path';
import { dataDir } from './lib/project.mjs';
import { postgres } from './lib/postgres.mjs';
import { redis } from './lib/redis.mjs';

export { chromium } from './lib/chromium.mjs';
export { postgres, redis };

/**
 * PostgreSQL and Redis in `dir`, or those that DATABASE_URL and REDIS_URL name. `env` holds both addresses, `stop()` ends
 * what was started here, `own` is what was started.
 */
export async function services({ dir = dataDir, durable = true, given = process.env } = {}) {
  const own = {};
  const stop = () => Promise.all(Object.values(own).map((service) => service.stop()));
  try {
    const starts = [];
    if (!given.DATABASE_URL)
      starts.push(['postgres', () => postgres({ dataDir: join(dir, 'postgres'), durable })]);
    if (!given.REDIS_URL)
      starts.push(['redis', () => redis({ dataDir: join(dir, 'redis'), durable })]);
    const results = await Promise.allSettled(
      starts.map(async ([name, start]) => (own[name] = await start())),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  const env = {
    DATABASE_URL: given.DATABASE_URL || own.postgres.url,
    REDIS_URL: given.REDIS_URL || own.redis.url,
  };
  return { env, own, stop };
}
