import { describe, expect, it } from 'vitest';
import {
  brokenTiming,
  startValues,
  timingOf,
  upcoming,
  type TimingValues,
} from './recurring-values.ts';

const NOW = new Date('2026-11-28T12:00:00Z');
const values = (changes: Partial<TimingValues>): TimingValues => ({
  ...startValues('Tea', 'Europe/Moscow'),
  ...changes,
});
const times = (changes: Partial<TimingValues>, runs = 0) =>
  upcoming(values(changes), runs, NOW)?.map((at) => at.toISOString());

describe('the next times', () => {
  it('are by the clocks of the time zone', () => {
    expect(times({ weekdays: ['5', '1'] })?.slice(0, 3)).toEqual([
      '2026-11-30T06:00:00.000Z',
      '2026-12-04T06:00:00.000Z',
      '2026-12-07T06:00:00.000Z',
    ]);
  });

  it('are no more than are left', () => {
    expect(times({ times: 4 }, 2)).toHaveLength(2);
    expect(times({ times: 2 }, 2)).toEqual([]);
    expect(times({ until: '2026-11-29' })).toEqual([]);
  });

  it('are not known while the values are not complete', () => {
    for (const broken of [
      { weekdays: [] },
      { time: '' },
      { timeZone: 'Moon' },
      { from: '2026-12-02', until: '2026-12-01' },
    ])
      expect(times(broken)).toBeUndefined();
  });
});

it('has only the days of its frequency', () => {
  const all = { weekdays: ['3', '1'], day: '31' };
  expect(timingOf(values({ ...all, frequency: 'weekly' }))).toMatchObject({
    weekdays: [1, 3],
    day: null,
  });
  expect(timingOf(values({ ...all, frequency: 'monthly' }))).toMatchObject({
    weekdays: [],
    day: 31,
  });
  expect(timingOf(values({ ...all, frequency: 'daily' }))).toMatchObject({
    weekdays: [],
    day: null,
    from: null,
  });
});

it('needs a weekday only if it runs every week', () => {
  expect(brokenTiming(values({ weekdays: [] })).weekdays).toBe('required');
  expect(brokenTiming(values({ weekdays: [], frequency: 'daily' })).weekdays).toBe(false);
});
