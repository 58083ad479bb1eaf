import { expect, test } from 'vitest';
import { Day, Time } from './fields.ts';

test.each([
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00-16:00',
  '2026-02-30T00:00:00Z',
])('refuses the time %s, which Postgres cannot store', (time) => {
  expect(Time.safeParse(time).success).toBe(false);
});

test.each([
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00+14:00',
  '2026-01-16T00:00:00-15:59',
  '2026-01-01T16:23:59Z',
])('accepts the time %s', (time) => {
  expect(Time.safeParse(time).success).toBe(true);
});

test('refuses dates of the year 0', () => {
  expect(Day.safeParse('0000-12-31').success).toBe(false);
  expect(Day.safeParse('0001-01-01').success).toBe(true);
});
