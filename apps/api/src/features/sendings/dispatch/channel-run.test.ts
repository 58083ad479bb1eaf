import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PRIORITIES, type Priority } from '../priorities.ts';
import { ChannelRun } from './channel-run.ts';
import type { LeasedBatch } from './dispatch.store.ts';

const { code, single, bulk } = PRIORITIES;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A channel whose calls end when they are told to. Messages of a priority are leased as the store leases them. */
function channel(maxBatch: number) {
  const due: { priority: Priority; size: number }[] = [];
  const calls: { sizes: number[]; priority: number; answer: () => void }[] = [];
  const looks: (Priority | null)[] = [];
  const run = new ChannelRun({
    room: () => Promise.resolve({ concurrency: 4, maxBatch }),
    lease: ({ priority, except, messages }) => {
      looks.push(except);
      const first = due
        .filter((b) => b.priority <= priority && b.priority !== except)
        .toSorted((a, b) => a.priority - b.priority)[0];
      const taken: typeof due = [];
      let total = 0;
      for (const batch of due.filter((b) => b.priority === first?.priority)) {
        total += batch.size;
        if (total > messages && taken.length) break;
        taken.push(batch);
      }
      for (const batch of taken) due.splice(due.indexOf(batch), 1);
      const hasLater = due.some((b) => first && b.priority > first.priority);
      return Promise.resolve(
        taken.map((batch) => ({ ...batch, hasLater, taskId: null }) as unknown as LeasedBatch),
      );
    },
    submit: (batches) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      calls.push({
        sizes: batches.map(({ size }) => size),
        priority: batches[0]!.priority,
        answer: resolve,
      });
      return promise;
    },
    isStopping: () => false,
  });
  const come = async (priority: Priority, ...sizes: number[]) => {
    due.push(...sizes.map((size) => ({ priority, size })));
    run.wake(due.every((b) => b.priority === single));
    await vi.advanceTimersByTimeAsync(0);
  };
  const made = () => calls.map(({ priority, sizes }) => [priority, sizes]);
  return { due, calls, run, come, made, looks };
}

test('singles that come during a call go together when it ends', async () => {
  const { run, calls, come, made } = channel(10);
  const ended = run.run();
  await come(single, 1);
  expect(made()).toEqual([[single, [1]]]);
  await come(single, 1);
  await come(single, 1, 1);
  expect(calls).toHaveLength(1);
  calls[0]!.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(made()).toEqual([
    [single, [1]],
    [single, [1, 1, 1]],
  ]);
  calls[1]!.answer();
  await ended;
});

test('they wait for a slow call only for a moment', async () => {
  const { run, calls, come, made } = channel(10);
  const ended = run.run();
  await come(single, 1);
  await come(single, 1);
  await come(single, 1);
  await vi.advanceTimersByTimeAsync(19);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(made()[1]).toEqual([single, [1, 1]]);
  for (const { answer } of calls) answer();
  await ended;
});

test('codes and bulks do not wait for singles that gather, and neither do singles that fill a call', async () => {
  const { run, calls, come, made } = channel(2);
  const ended = run.run();
  await come(single, 1);
  await come(single, 1);
  await come(code, 1);
  await come(bulk, 2);
  expect(made()).toEqual([
    [single, [1]],
    [code, [1]],
    [bulk, [2]],
  ]);
  for (const { answer } of calls) answer();
  await vi.advanceTimersByTimeAsync(0);
  calls[3]!.answer();
  await ended;

  const full = channel(2);
  const endedFull = full.run.run();
  await full.come(single, 1, 1, 1, 1, 1);
  expect(full.made()).toEqual([
    [single, [1, 1]],
    [single, [1, 1]],
    [single, [1]],
  ]);
  for (const { answer } of full.calls) answer();
  await endedFull;
});

test('singles that gather cause no look of their own, and none for others when nothing else waits', async () => {
  const { due, run, calls, come, made, looks } = channel(10);
  due.push({ priority: single, size: 1 });
  const ended = run.run();
  await vi.advanceTimersByTimeAsync(0);
  for (let i = 0; i < 5; i++) await come(single, 1);
  expect(looks).toHaveLength(1);
  calls[0]!.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toEqual([null, null]);
  // A bulk that comes beside them is found at once.
  await come(single, 1);
  await come(bulk, 2);
  calls[1]!.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks.slice(2)).toEqual([single, single, null]);
  expect(made()).toEqual([
    [single, [1]],
    [single, [1, 1, 1, 1, 1]],
    [bulk, [2]],
    [single, [1]],
  ]);
  for (const { answer } of calls.slice(2)) answer();
  await ended;
});
