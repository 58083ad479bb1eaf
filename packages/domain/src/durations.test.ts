import { expect, test } from 'vitest';
import { DURATION_STEPS, durationStep, durationWithin } from './durations.ts';

const countsOf = (all: number[]) => {
  const counts = Array.from({ length: DURATION_STEPS }, () => 0);
  for (const ms of all) counts[durationStep(ms)]!++;
  return counts;
};

test('every duration has a step', () => {
  expect([0, 0.2, 1, 1.1, 100, 60_000, 10_000_000].map(durationStep)).toEqual([
    0, 0, 0, 1, 26, 61, 63,
  ]);
});

test('the median and the slow end are a fifth too long at most', () => {
  const all = Array.from({ length: 1000 }, (_, i) => i + 1);
  const counts = countsOf(all);
  for (const share of [0.5, 0.95]) {
    const found = durationWithin(counts, share, 1000);
    expect(found).toBeGreaterThanOrEqual(1000 * share);
    expect(found).toBeLessThanOrEqual(1000 * share * 1.2 + 1);
  }
  expect(durationWithin(countsOf([3]), 0.95, 3)).toBe(3);
  expect(durationWithin(countsOf([]), 0.5, 0)).toBe(0);
});
