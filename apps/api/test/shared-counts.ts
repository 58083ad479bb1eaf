import { RateLimits } from '../src/core/rate-limits.ts';
import { until, type World } from './world.ts';

/**
 * Counts of an API are shared: it has found Redis, and waits for it however busy the machine is. By default a command that takes
 * longer than a second is counted by the process alone, which then knows nothing of the attempts before.
 */
export async function sharesCounts(app: World['api']): Promise<void> {
  const { redis } = app.get(RateLimits);
  redis.options.commandTimeout = undefined;
  await until(() => Promise.resolve(redis.status === 'ready'), 'Redis to be found');
}
