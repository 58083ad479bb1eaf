import { expect, test, vi } from 'vitest';
import { DeadlinesService } from './deadlines.service.ts';

test('a shutdown ends the work on a stopped task between two batches; the rest is enqueued', async () => {
  const shutdown = { isStopping: false };
  const enqueue = vi.fn<(name: string, payload: object) => void>();
  let waiting = 1000;
  const takeUnknown = vi.fn<(taskId: string, limit: number) => Promise<object[]>>((_, limit) => {
    const taken = Math.min(limit, waiting);
    waiting -= taken;
    shutdown.isStopping = true;
    return Promise.resolve(Array.from({ length: taken }, (__, i) => ({ id: i, channel: 'c' })));
  });
  const dropOfTask = vi.fn<() => void>();
  const keepUnknown = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const service = new DeadlinesService(
    { transaction: (work: () => Promise<boolean>) => work() } as never,
    { now: () => new Date() } as never,
    { enqueue } as never,
    {} as never,
    {} as never,
    { takeUnknown, dropOfTask } as never,
    {} as never,
    {} as never,
    shutdown as never,
    { factsOf: () => Promise.resolve(undefined) } as never,
    { keepUnknown } as never,
    {} as never,
  );
  await service.drop({ taskId: 't' });
  expect(takeUnknown).toHaveBeenCalledOnce();
  // All that were taken are kept, and not more than a shutdown can wait for.
  expect(keepUnknown).toHaveBeenCalledTimes(1000 - waiting);
  expect(1000 - waiting).toBeLessThanOrEqual(100);
  expect(dropOfTask).not.toHaveBeenCalled();
  expect(enqueue).toHaveBeenCalledWith('task.drop', { taskId: 't' });
});
