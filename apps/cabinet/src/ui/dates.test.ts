import { expect, test } from 'vitest';
import { dayOf, daysBetween, endOfDay } from './dates.ts';

test('days are counted by the calendar, over the change of the clocks too', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2026-11-22', '2027-11-22')).toBe(365);
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0);
});

test('the end of a day is on that day', () => {
  expect(dayOf(endOfDay('2026-12-31'))).toBe('2026-12-31');
});
