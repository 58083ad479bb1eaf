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

it('has an integer for every outcome except pending', () => {
  const ends = OUTCOMES.filter((outcome) => outcome !== 'pending');
  expect(ends.map(outcomeCode)).toEqual([1, 2, 3]);
  expect([null, 1, 2, 3].map(outcomeOf)).toEqual(OUTCOMES);
  expect(() => outcomeOf(4)).toThrow(RangeError);
});

it('is cancelled, not failed, for stopped messages', () => {
  expect(['stopped', 'expired', null].map(outcomeOfFailure)).toEqual([
    'cancelled',
    'failed',
    'failed',
  ]);
});

it('follows from the status of an attempt unless another attempt determined it', () => {
  const implied = OUTCOMES.map((outcome) =>
    STATUSES.filter((s) => statusImpliesOutcome(s, outcome)),
  );
  expect(implied).toEqual([
    ['pending', 'paused', 'processing', 'sent'],
    ['delivered', 'seen'],
    ['failed'],
    [],
  ]);
});

it('has a delivery rate of delivered and failed recipients', () => {
  expect(deliveryRate({ delivered: 3, failed: 1 })).toBe(0.75);
  expect(deliveryRate({ delivered: 0, failed: 0 })).toBeNull();
});
