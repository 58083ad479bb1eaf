import { expect, test } from 'vitest';
import { latestTokenExpiry, tokenExpiryError } from './api-tokens.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T12:00:00Z', 'past'],
  ['2020-01-01T00:00:00Z', 'past'],
  ['2026-11-22T12:00:01Z', null],
  ['2027-11-22T12:00:00Z', null],
  ['2027-11-22T12:59:00Z', null],
  ['2027-11-23T12:00:00Z', 'far'],
  ['9999-12-31T00:00:00Z', 'far'],
])('an expiry at %s breaks the rule %s', (at, rule) => {
  expect(tokenExpiryError(new Date(at), NOW)).toBe(rule);
});

test('a year after the 29th of February is the 1st of March', () => {
  const leapDay = new Date('2028-02-29T00:00:00Z');
  expect(latestTokenExpiry(leapDay).toISOString()).toBe('2029-03-01T00:00:00.000Z');
});
