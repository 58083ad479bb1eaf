import { expect, it } from 'vitest';
import {
  deliveryRate,
  outcomeCode,
  outcomeOf,
  outcomeOfFailure,
  OUTCOMES,
  statusImpliesOutcome,
} from './outcomes.ts';
import { STATUSES } from './types.ts';

it('stores every outcome but pending as a number', () => {
  const ends = OUTCOMES.filter((outcome) => outcome !== 'pending');
  expect(ends.map(outcomeCode)).toEqual([1, 2, 3]);
  expect([null, 1, 2, 3].map(outcomeOf)).toEqual(OUTCOMES);
  expect(() => outcomeOf(4)).toThrow(RangeError);
});

it('is cancelled and not failed when its owner stopped it', () => {
  expect(['stopped', 'expired', null].map(outcomeOfFailure)).toEqual([
    'cancelled',
    'failed',
    'failed',
  ]);
});

it('is told by the status of an attempt unless another attempt decided', () => {
  const told = OUTCOMES.map((outcome) => STATUSES.filter((s) => statusImpliesOutcome(s, outcome)));
  expect(told).toEqual([
    ['pending', 'paused', 'processing', 'sent'],
    ['delivered', 'seen'],
    ['failed'],
    [],
  ]);
});

it('has a rate of those of whom it is known', () => {
  expect(deliveryRate({ delivered: 3, failed: 1 })).toBe(0.75);
  expect(deliveryRate({ delivered: 0, failed: 0 })).toBeNull();
});
