import { expect, test } from 'vitest';
import { parseMoney } from './money.ts';
import { areRising, hasVolume, priceAfterStep, volumeStep } from './volume-steps.ts';

const STEPS = [
  { from: 10_000, percent: 5 },
  { from: 100_000, percent: 12.5 },
];

test.each([
  [0, 0, null, 10_000],
  [9_999, 0, null, 10_000],
  [10_000, 1, 5, 100_000],
  [99_999, 1, 5, 100_000],
  [100_000, 2, 12.5, null],
  [1e9, 2, 12.5, null],
])('after %i units the step is number %i', (units, number, percent, next) => {
  const found = volumeStep(STEPS, units);
  expect([found.number, found.step?.percent ?? null, found.next?.from ?? null]).toEqual([
    number,
    percent,
    next,
  ]);
});

test('without steps none is in force', () => {
  expect(volumeStep([], 5)).toEqual({ number: 0, step: null, next: null });
});

test.each([
  [3.2, 12.5, 0, 2.8],
  [3.2, 5, 0, 3.04],
  // Rounded up to 1/10,000, so that nothing becomes free.
  [0.3333, 10, 0, 0.3],
  [0.0001, 99.99, 0, 0.0001],
  [0, 50, 0, 0],
  // Not below the floor, which a price may have reached before.
  [3.2, 50, 2, 2],
  [3.2, 10, 2, 2.88],
  [3.2, 10, 3.2, 3.2],
])('%f less %f %%, at least %f, is %f', (price, percent, floor, after) => {
  const step = { from: 1, percent };
  expect(priceAfterStep([parseMoney(price)], step, [parseMoney(floor)])).toEqual([
    parseMoney(after),
  ]);
});

test('before the first step a price stays', () => {
  const price = [parseMoney(3.2)];
  expect(priceAfterStep(price, null)).toBe(price);
});

test('steps rise in both', () => {
  expect(areRising([])).toBe(true);
  expect(areRising(STEPS)).toBe(true);
  expect(areRising([STEPS[1]!, STEPS[0]!])).toBe(false);
  expect(areRising([STEPS[0]!, STEPS[0]!])).toBe(false);
  expect(areRising([STEPS[0]!, { from: 20_000, percent: 5 }])).toBe(false);
  expect(areRising([STEPS[0]!, { from: 10_000, percent: 6 }])).toBe(false);
});

test('calls and instances have no units that count', () => {
  expect(hasVolume('voice')).toBe(false);
  expect(hasVolume('wapi')).toBe(false);
  expect(hasVolume('sms')).toBe(true);
});
