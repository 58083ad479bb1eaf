import type { Task } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { progressOf } from './task-progress.ts';

const task = (counters: Partial<Task['meta']['counters']>) =>
  ({
    meta: {
      counters: {
        expected: 0,
        total: 0,
        completed: 0,
        errored: 0,
        cancelled: 0,
        unknownOutcomes: 0,
        skipped: {},
        ...counters,
      },
    },
  }) as Task;

it('counts recipients by their last outcome', () => {
  const p = progressOf(
    task({
      expected: 100,
      total: 60,
      completed: 40,
      errored: 10,
      skipped: { duplicate: 2, invalid: 1 },
    }),
  );
  expect(p).toMatchObject({ completedShare: 40, erroredShare: 10, skipped: 3 });
});

it('never goes beyond the whole', () => {
  const p = progressOf(task({ expected: 10, total: 20, completed: 19, errored: 1 }));
  expect(p.completedShare + p.erroredShare).toBe(100);
});

it('is whole when everybody is known, whatever the shares add up to', () => {
  const p = progressOf(task({ expected: 1000, total: 1000, completed: 844, errored: 156 }));
  expect(p.doneShare).toBe(100);
});

it('counts what was stopped neither as failed nor as done', () => {
  const p = progressOf(task({ expected: 10, total: 6, completed: 2, cancelled: 8 }));
  expect(p).toMatchObject({
    erroredShare: 0,
    completedShare: 20,
    done: 2,
    doneShare: 20,
    ended: 10,
  });
});

it('is nothing before anybody is known', () => {
  expect(progressOf(task({}))).toMatchObject({ completedShare: 0, erroredShare: 0, expected: 0 });
});
