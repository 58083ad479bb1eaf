import { expect, it } from 'vitest';
import { seasonOf } from './season.ts';

it.each([
  ['2026-12-14T23:59:59', null],
  ['2026-12-15T00:00:00', 'winter'],
  ['2026-12-31T23:59:59', 'winter'],
  ['2027-01-01T00:00:00', 'winter'],
  ['2027-01-15T23:59:59', 'winter'],
  ['2027-01-16T00:00:00', null],
  ['2027-03-04T23:59:59', null],
  ['2027-03-05T00:00:00', 'spring'],
  ['2027-03-11T23:59:59', 'spring'],
  ['2027-03-12T00:00:00', null],
  ['2027-07-10T12:00:00', null],
])('%s: %s', (now, season) => {
  expect(seasonOf(new Date(now))).toBe(season);
});
