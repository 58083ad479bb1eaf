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

test('the waiting fallbacks of a big stopped task are read in pieces, each in a transaction of its own', async () => {
  const sizes: number[] = [];
  let waiting = 2500;
  let transactions = 0;
  const deleteTriggers = (_: string, limit: number) => {
    const taken = Math.min(limit, waiting);
    waiting -= taken;
    return Promise.resolve(Array.from({ length: taken }, (__, i) => String(i)));
  };
  const attempts = (ids: string[]) => {
    sizes.push(ids.length);
    return Promise.resolve([]);
  };
  const none = () => Promise.resolve([]);
  const service = new DeadlinesService(
    { transaction: (work: () => Promise<boolean>) => (transactions++, work()) } as never,
    { now: () => new Date() } as never,
    {} as never,
    {} as never,
    { deleteTriggers, takeTimersOfTask: none } as never,
    { takeUnknown: none, dropOfTask: none } as never,
    {
      apply: none,
      endFailed: none,
      trigger: () => Promise.resolve({ rows: [], finished: new Set() }),
    } as never,
    { attempts, plans: () => Promise.resolve(new Map()), sendingsOf: none } as never,
    { isStopping: false } as never,
    {} as never,
    {} as never,
    { note: () => undefined } as never,
  );
  await service.drop({ taskId: 't' });
  expect(sizes).toEqual([1000, 1000, 500]);
  expect(transactions).toBe(6);
});
