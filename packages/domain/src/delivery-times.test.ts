import { expect, test } from 'vitest';
import { DELIVERY_BOUNDS, deliverySeconds } from './delivery-times.ts';

const counts = (given: Record<number, number>) =>
  Array.from({ length: DELIVERY_BOUNDS.length + 1 }, (_, i) => given[i] ?? 0);

test.each<[string, Record<number, number>, number, number | null]>([
  ['nothing was delivered', {}, 0.5, null],
  ['the middle of a slot', { 2: 10 }, 0.5, 3.5],
  ['the end of a slot', { 0: 50, 3: 50 }, 0.5, 1],
  ['a later slot', { 0: 50, 3: 50 }, 0.95, 9.5],
  ['the slot without a bound', { 0: 1, 12: 99 }, 0.95, 21_600],
  ['one delivery', { 6: 1 }, 0.95, 58.5],
])('%s', (_name, given, share, seconds) => {
  expect(deliverySeconds(counts(given), share)).toBe(seconds);
});
