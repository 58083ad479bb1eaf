import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until, World } from '../../../test/world.ts';
import { JOBS, type JobName } from './catalog.ts';
import { Jobs } from './queue.ts';

test('limits queued jobs without a payload; each task has a job of its own', async () => {
  const world = await World.start();
  const jobs = world.api.get(Jobs);
  const connection = new Redis(world.config.REDIS_URL, { maxRetriesPerRequest: null });
  const waiting = async (queue: string) => {
    const its = new Queue(queue, { connection: connection as never, skipVersionCheck: true });
    const n = await its.getWaitingCount();
    await its.close();
    return n;
  };
  await until(() => jobs.ready(), 'Redis');
  const tasks = Array.from({ length: 40 }, () => crypto.randomUUID());
  for (const taskId of tasks) {
    jobs.enqueue('sendings.poll', {});
    jobs.enqueue('sendings.fallback', {});
    jobs.enqueue('task.expand', { taskId });
    jobs.enqueueOnce('task.drop', { taskId: tasks[0]! });
    await sleep(10);
  }
  await until(async () => (await waiting('expand')) === tasks.length, 'a job for each task');
  expect(await waiting('reports')).toBe(16);
  expect(await waiting('fallbacks')).toBe(16);
  // The test may span two intervals of ten seconds.
  expect(await waiting('drops')).toBeLessThanOrEqual(2);
  expect(jobs.enqueueFailures).toBe(0);
  connection.disconnect();
  await world.stop();
});

test('jobs without a payload have queues of their own', () => {
  const bare = (['sendings.dispatch', 'sendings.poll', 'sendings.fallback'] as JobName[]).map(
    (name) => JOBS[name].queue,
  );
  expect(new Set(bare).size).toBe(bare.length);
});
