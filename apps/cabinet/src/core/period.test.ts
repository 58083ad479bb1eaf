import { describe, expect, it } from 'vitest';
import { PERIODS, periodBounds, periodDays } from './period.ts';

// A Saturday, in local time as the browser has it.
const NOW = new Date(2026, 10, 21, 14, 30).getTime();
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();

describe('periodBounds', () => {
  it.each([
    ['5m', at(2026, 10, 21, 14, 25), undefined],
    ['6h', at(2026, 10, 21, 8, 30), undefined],
    ['today', at(2026, 10, 21), undefined],
    ['yesterday', at(2026, 10, 20), at(2026, 10, 21)],
    ['week', at(2026, 10, 16), undefined],
    ['lastWeek', at(2026, 10, 9), at(2026, 10, 16)],
    ['month', at(2026, 10, 1), undefined],
    ['lastMonth', at(2026, 9, 1), at(2026, 10, 1)],
    ['2026-11-01..2026-11-07', at(2026, 10, 1), at(2026, 10, 8)],
    ['2026-11-01..', at(2026, 10, 1), undefined],
    ['..2026-11-07', undefined, at(2026, 10, 8)],
  ])('%s', (value, from, to) => {
    expect(periodBounds(value, NOW)).toEqual({
      ...(from && { from }),
      ...(to && { to }),
      ...(value.includes('..') && { from, to }),
    });
  });

  it('takes times as they are', () => {
    const bounds = periodBounds('2026-11-20T21:00:00.000Z..', NOW);
    expect(bounds?.from).toBe(Date.UTC(2026, 10, 20, 21));
  });

  it.each([
    '',
    'soon',
    '..',
    '1w',
    '2h',
    'x..y',
    '1..2..3',
    '2026-13-45..',
    '..2026-02-31',
    '2026-11-01..2026-11-0',
    '2026-02-30T10:00..',
    'Nov 2026..',
  ])('refuses %j', (value) => {
    expect(periodBounds(value, NOW)).toBeNull();
  });

  it('knows every preset', () => {
    for (const period of PERIODS) expect(periodBounds(period, NOW)).not.toBeNull();
  });
});

describe('periodDays', () => {
  it('counts both ends', () => {
    expect(periodDays('2026-11-01..2026-11-07', NOW)).toBe(7);
    expect(periodDays('2026-11-01..2026-12-01', NOW)).toBe(31);
    expect(periodDays('..2026-11-07', NOW)).toBe(Infinity);
    expect(periodDays('5m', NOW)).toBe(1);
  });

  it.each(['2026-10-01..2026-10-31', '2026-03-01..2026-03-31'])(
    '%s is 31 days where the clock changes',
    (value) => {
      const zone = process.env.TZ;
      process.env.TZ = 'Europe/Madrid';
      try {
        expect(periodDays(value, NOW)).toBe(31);
      } finally {
        if (zone === undefined) delete process.env.TZ;
        else process.env.TZ = zone;
      }
    },
  );
});
