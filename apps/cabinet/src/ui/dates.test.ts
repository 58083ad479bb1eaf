import { afterEach, expect, test, vi } from 'vitest';
import { dayAfter, dayOf, daysBetween, endOfDay, today } from './dates.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('days are counted by the calendar, over the change of the clocks too', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2026-11-22', '2027-11-22')).toBe(365);
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0);
});

test('the end of a day is on that day', () => {
  expect(dayOf(endOfDay('2026-12-31'))).toBe('2026-12-31');
});

test.each([
  ['Pacific/Kiritimati', '2026-11-23', '2026-12-31T09:59:59.000Z'],
  ['Pacific/Honolulu', '2026-11-22', '2027-01-01T09:59:59.000Z'],
])('days are those of the zone %s, which the user has chosen', (zone, day, end) => {
  vi.stubGlobal('localStorage', { getItem: () => zone });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  expect(today()).toBe(day);
  expect(daysBetween(today(), dayAfter(30))).toBe(30);
  expect(endOfDay('2026-12-31').toISOString()).toBe(end);
});
