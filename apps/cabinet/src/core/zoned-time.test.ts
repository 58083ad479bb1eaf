import { expect, it } from 'vitest';
import { instantOf, wallClock } from './zoned-time.ts';

const wall = (text: string) => Date.parse(`${text}Z`);
const instant = (text: string, zone: string) => new Date(instantOf(wall(text), zone)).toISOString();

it.each([
  ['2026-11-22T12:00', 'UTC', '2026-11-22T12:00:00.000Z'],
  ['2026-11-22T12:00', 'Asia/Vladivostok', '2026-11-22T02:00:00.000Z'],
  ['2026-11-22T00:30', 'Asia/Kolkata', '2026-11-21T19:00:00.000Z'],
  ['2026-11-22T23:59', 'Pacific/Honolulu', '2026-11-23T09:59:00.000Z'],
  ['2026-07-01T12:00', 'Europe/Madrid', '2026-07-01T10:00:00.000Z'],
  ['2026-12-01T12:00', 'Europe/Madrid', '2026-12-01T11:00:00.000Z'],
  // Twice: the first. Skipped: as long after the change.
  ['2026-10-25T02:30', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Madrid', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Madrid', '2026-10-25T02:00:00.000Z'],
])('%s in %s is %s', (text, zone, expected) => {
  expect(instant(text, zone)).toBe(expected);
});

it.each(['Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
  'every hour of a year in %s is found again',
  (zone) => {
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * 3_600_000) {
      const shown = wallClock(at, zone);
      expect(wallClock(instantOf(shown, zone), zone)).toBe(shown);
    }
  },
);

it('what is no time stays none', () => {
  for (const none of [Number.NaN, Infinity, 9e15]) expect(instantOf(none, 'UTC')).toBeNaN();
});
