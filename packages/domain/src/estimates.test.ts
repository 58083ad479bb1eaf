import { expect, test } from 'vitest';
import { canComputeExactly } from './estimates.ts';

test.each([
  [{ recipients: 0, characters: 0 }, true],
  [{ recipients: 49_999, characters: 499_999_999 }, true],
  [{ recipients: 50_000, characters: 0 }, false],
  [{ recipients: 1, characters: 500_000_000 }, false],
])('%o: %s', (volume, expected) => {
  expect(canComputeExactly(volume)).toBe(expected);
});
