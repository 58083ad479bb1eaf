import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schedule } from './schedule.ts';
import { ScheduleError, batchSizeFor, parseSchedule, spread, stretchHours } from './schedule.ts';

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

  it('goes forward, stays within the stretch and takes all of it', () => {
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
  const time = '2026-01-01T10:00:00Z';
  it.each([
    [{}, { startsAt: null, hours: 0, endsAt: null }],
    [
      { delay: 0, until: 0 },
      { startsAt: null, hours: 0, endsAt: null },
    ],
    [
      { delay: '0', until: '' },
      { startsAt: null, hours: 0, endsAt: null },
    ],
    [
      { delay: null, until: 2.5 },
      { startsAt: null, hours: 2.5, endsAt: null },
    ],
    [
      { delay: time, until: '12' },
      { startsAt: start, hours: 12, endsAt: null },
    ],
    [{ delay: '2026-01-01T13:00:00+03:00' }, { startsAt: start, hours: 0, endsAt: null }],
    [{ delay: '2026-01-01T10:00:00.000' }, { startsAt: start, hours: 0, endsAt: null }],
    [{ delay: '2026-01-01 10:00' }, { startsAt: start, hours: 0, endsAt: null }],
    [{ until: time }, { startsAt: null, hours: null, endsAt: start }],
    [
      { delay: time, until: time },
      { startsAt: start, hours: null, endsAt: start },
    ],
  ] as [Parameters<typeof parseSchedule>[0], Schedule][])('%j', (input, expected) => {
    expect(parseSchedule(input)).toEqual(expected);
  });

  it.each([
    [{ delay: 5 }, 'delay', 'format'],
    [{ delay: -1 }, 'delay', 'format'],
    [{ delay: 'tomorrow' }, 'delay', 'format'],
    [{ delay: '2026-02-30T10:00:00Z' }, 'delay', 'format'],
    [{ delay: '2026-13-01T10:00:00Z' }, 'delay', 'format'],
    [{ delay: '2026-01-01T25:00:00Z' }, 'delay', 'format'],
    [{ until: 13 }, 'until', 'range'],
    [{ until: -1 }, 'until', 'range'],
    [{ until: NaN }, 'until', 'format'],
    [{ until: 'x' }, 'until', 'format'],
    [{ delay: time, until: '2026-01-01T09:59:59Z' }, 'until', 'order'],
    [{ delay: time, until: '2026-01-01T22:00:01Z' }, 'until', 'range'],
  ])('%j is refused', (input, field, rule) => {
    let thrown: unknown;
    try {
      parseSchedule(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ScheduleError);
    expect(thrown).toMatchObject({ field, rule });
  });
});

describe('stretchHours', () => {
  it.each([
    [3, null, 3],
    [null, 2, 2],
    [null, -2, 0],
    [null, 24, 12],
  ])('%j hours or an end in %j hours is %d', (hours, end, expected) => {
    const endsAt = end === null ? null : new Date(start.getTime() + end * HOUR);
    expect(stretchHours({ startsAt: null, hours, endsAt }, start)).toBe(expected);
  });
});
