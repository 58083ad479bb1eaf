import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule } from './schedule.ts';
import { ScheduleError, batchSizeFor, parseSchedule, spread } from './schedule.ts';

const start = new Date('2026-01-01T10:00:00Z');
const HOUR = 3_600_000;

describe('spread', () => {
  it.each([
    [0, 50, 100, 0],
    [1, 0, 100, 0],
    [1, 50, 100, HOUR / 2],
    [12, 99, 100, (HOUR * 12 * 99) / 100],
    [1, 0, 1, 0],
    [1, 0, 0, 0],
    [1, 500, 100, (HOUR * 99) / 100],
  ])('until %d, %d of %d is %d ms after start', (until, position, total, expected) => {
    expect(spread({ start, until, position, total }).getTime() - start.getTime()).toBe(expected);
  });

  it('is monotonic and covers the whole period', () => {
    const hours = fc.double({ min: 0.001, max: 12, noNaN: true });
    fc.assert(
      fc.property(hours, fc.integer({ min: 2, max: 100_000 }), (until, total) => {
        const time = (position: number): number =>
          spread({ start, until, position, total }).getTime() - start.getTime();
        const step = (until * HOUR) / total;
        expect(time(0)).toBe(0);
        expect(time(total - 1)).toBeLessThan(until * HOUR);
        expect(time(total - 1)).toBeGreaterThanOrEqual(until * HOUR - step - 1);
        const middle = Math.floor(total / 2);
        expect(time(middle)).toBeGreaterThanOrEqual(time(middle - 1));
        expect(time(middle) - time(middle - 1)).toBeLessThanOrEqual(step + 1);
      }),
    );
  });
});

describe('batchSizeFor', () => {
  it.each([
    [100_000, 3600, 1000, 27],
    [100_000, 0, 1000, 1000],
    [10, 3600, 1000, 1],
    [100_000_000, 3600, 1000, 1000],
    [0, 3600, 1000, 1],
    [3600, 3600, 1000, 1],
  ])('%d over %d s, at most %d: %d', (total, stretchSeconds, max, expected) => {
    expect(batchSizeFor({ total, stretchSeconds, max })).toBe(expected);
  });
});

describe('parseSchedule', () => {
  const now = new Date('2026-01-01T08:00:00Z');
  const time = '2026-01-01T10:00:00Z';
  it.each<[0 | string, number | string, Schedule]>([
    [0, 0, { startsAt: null, stretchSeconds: 0 }],
    [0, 2.5, { startsAt: null, stretchSeconds: 9000 }],
    [time, 12, { startsAt: start, stretchSeconds: 43_200 }],
    ['2026-01-01T13:00:00+03:00', 0, { startsAt: start, stretchSeconds: 0 }],
    [0, time, { startsAt: null, stretchSeconds: 7200 }],
    [0, '2026-01-01T20:00:00Z', { startsAt: null, stretchSeconds: 43_200 }],
    [0, '2026-01-01T07:00:00Z', { startsAt: null, stretchSeconds: 0 }],
    [time, time, { startsAt: start, stretchSeconds: 0 }],
    [time, '2026-01-01T22:00:00Z', { startsAt: start, stretchSeconds: 43_200 }],
    // Tolerates slow clocks.
    [
      '2026-01-01T07:59:01Z',
      '2026-01-01T20:00:00Z',
      { startsAt: new Date('2026-01-01T07:59:01Z'), stretchSeconds: 43_200 },
    ],
    ['2027-01-02T08:00:00Z', 0, { startsAt: new Date('2027-01-02T08:00:00Z'), stretchSeconds: 0 }],
  ])('%j until %j', (delay, until, expected) => {
    expect(parseSchedule({ delay, until }, now)).toEqual(expected);
  });

  it.each<[0 | string, number | string, string, string]>([
    [time, '2026-01-01T09:59:59Z', 'until', 'order'],
    [time, '2026-01-01T22:00:01Z', 'until', 'range'],
    [0, '2026-01-01T20:00:01Z', 'until', 'range'],
    ['2026-01-01T07:59:00Z', 0, 'delay', 'past'],
    ['2026-01-01T01:00:00Z', '2026-01-01T20:00:00Z', 'delay', 'past'],
    ['2027-01-02T08:00:01Z', 0, 'delay', 'far'],
    ['9999-12-31T23:59:59Z', 0, 'delay', 'far'],
  ])('%j until %j is refused', (delay, until, field, rule) => {
    const parse = () => parseSchedule({ delay, until }, now);
    expect(parse).toThrow(ScheduleError);
    expect(parse).toThrow(expect.objectContaining({ field, rule }));
  });
});
