import type { Task } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { addSample, paceOf, WINDOW_MS } from './pace.ts';

const START = Date.UTC(2026, 10, 21, 12);
const task = { startedAt: new Date(START).toISOString(), until: null } as Task;

it('is the average since the start on the first look', () => {
  const samples = [{ at: START + 30_000, done: 500 }];
  expect(paceOf(samples, task, 1500)).toEqual({ perMinute: 1000, secondsLeft: 60 });
});

it('is that of the last minute afterwards', () => {
  const samples = [
    { at: START + 60_000, done: 600 },
    { at: START + 90_000, done: 700 },
  ];
  expect(paceOf(samples, task, 900)).toEqual({ perMinute: 200, secondsLeft: 60 });
});

it('has no end while nothing moves, and none is left when all are done', () => {
  const stuck = [
    { at: START, done: 5 },
    { at: START + 10_000, done: 5 },
  ];
  expect(paceOf(stuck, task, 10)).toEqual({ perMinute: 0, secondsLeft: null });
  expect(paceOf([{ at: START + 1000, done: 10 }], task, 10)?.secondsLeft).toBe(0);
  expect(paceOf([], task, 10)).toBeNull();
  expect(paceOf([{ at: START, done: 0 }], task, 10)).toBeNull();
});

it('ends with the spread, however fast it began, and by its pace when that is over', () => {
  const spread = { ...task, until: new Date(START + 12 * 3_600_000).toISOString() };
  const samples = [{ at: START + 60_000, done: 300 }];
  expect(paceOf(samples, spread, 20_000)).toEqual({
    perMinute: 300,
    secondsLeft: 12 * 3600 - 60,
  });
  const late = [
    { at: START + 12 * 3_600_000, done: 19_000 },
    { at: START + 12 * 3_600_000 + 60_000, done: 19_500 },
  ];
  expect(paceOf(late, spread, 20_000)?.secondsLeft).toBe(60);
  expect(paceOf(samples, spread, 300)?.secondsLeft).toBe(0);
});

it('tells no time at 0 per minute, as rounded', () => {
  const slow = [{ at: START + 2 * 3_600_000, done: 30 }];
  expect(paceOf(slow, task, 60)).toEqual({ perMinute: 0, secondsLeft: null });
});

it('forgets what is older than the window but for one sample at its edge', () => {
  let samples = addSample([], { at: 0, done: 0 });
  for (let i = 1; i <= 200; i++) samples = addSample(samples, { at: i * 1000, done: i });
  expect(samples[0]!.at).toBe(200_000 - WINDOW_MS);
  expect(samples.at(-1)).toEqual({ at: 200_000, done: 200 });
  expect(addSample(samples, { at: 200_000, done: 200 })).toBe(samples);
});
