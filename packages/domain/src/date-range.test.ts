import { expect, test } from 'vitest';
import { maxRangeDays } from './date-range.ts';

test.each([
  ['me', false, 31],
  ['reseller', false, 93],
  ['manager', false, 93],
  ['manager', true, 186],
] as const)('level %s with full find %s: %i days', (level, hasFullFind, days) => {
  expect(maxRangeDays(level, hasFullFind)).toBe(days);
});
