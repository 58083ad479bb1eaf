import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysBefore, nextReportRun, reportPeriod, type ReportTiming } from './report-periods.ts';
import { REPEAT_FREQUENCIES } from './recurrences.ts';

const timing = (values: Partial<ReportTiming>): ReportTiming => ({
  frequency: 'daily',
  weekday: null,
  day: null,
  hour: 9,
  timeZone: 'UTC',
  ...values,
});

it.each([
  ['the same day', {}, '2026-11-22T08:59:59.999Z', '2026-11-22T09:00:00.000Z'],
  ['strictly later', {}, '2026-11-22T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
  [
    'in the zone',
    { timeZone: 'Asia/Tokyo' },
    '2026-11-22T00:00:00.000Z',
    '2026-11-23T00:00:00.000Z',
  ],
  [
    'on Monday',
    { frequency: 'weekly', weekday: 1 },
    '2026-11-22T10:00:00.000Z',
    '2026-11-23T09:00:00.000Z',
  ],
  [
    'on Sunday',
    { frequency: 'weekly', weekday: 7 },
    '2026-11-22T10:00:00.000Z',
    '2026-11-29T09:00:00.000Z',
  ],
  [
    'on the last day of February',
    { frequency: 'monthly', day: 31 },
    '2027-02-01T00:00:00.000Z',
    '2027-02-28T09:00:00.000Z',
  ],
  [
    'on the 31st again',
    { frequency: 'monthly', day: 31 },
    '2027-02-28T09:00:00.000Z',
    '2027-03-31T09:00:00.000Z',
  ],
  [
    'in an hour that is skipped',
    { hour: 2, timeZone: 'Europe/Berlin' },
    '2027-03-27T12:00:00.000Z',
    '2027-03-28T01:00:00.000Z',
  ],
  [
    'in an hour that comes twice',
    { hour: 2, timeZone: 'Europe/Berlin' },
    '2026-10-24T12:00:00.000Z',
    '2026-10-25T00:00:00.000Z',
  ],
] as [string, Partial<ReportTiming>, string, string][])('runs %s', (_, values, after, at) => {
  expect(nextReportRun(timing(values), new Date(after)).toISOString()).toBe(at);
});

it.each([
  ['day', {}, '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z', '2026-11-21', '2026-11-21'],
  [
    'week',
    { frequency: 'weekly', weekday: 3 },
    '2026-11-09T00:00:00.000Z',
    '2026-11-16T00:00:00.000Z',
    '2026-11-09',
    '2026-11-15',
  ],
  [
    'month',
    { frequency: 'monthly', day: 1 },
    '2026-10-01T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
    '2026-10-01',
    '2026-10-31',
  ],
  [
    'local day',
    { timeZone: 'Asia/Tokyo' },
    '2026-11-20T15:00:00.000Z',
    '2026-11-21T15:00:00.000Z',
    '2026-11-21',
    '2026-11-21',
  ],
] as [string, Partial<ReportTiming>, string, string, string, string][])(
  'contains the %s before',
  (_, values, start, end, first, last) => {
    const period = reportPeriod(timing(values), new Date('2026-11-22T09:00:00.000Z'));
    expect(period).toEqual({ start: new Date(start), end: new Date(end), first, last });
  },
);

it('has periods of consecutive runs that follow each other without a gap', () => {
  const timings = fc.record({
    frequency: fc.constantFrom(...REPEAT_FREQUENCIES),
    weekday: fc.integer({ min: 1, max: 7 }),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.integer({ min: 0, max: 23 }),
    timeZone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    ),
  });
  const times = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(timings, times, (values, after) => {
      const first = nextReportRun(values, after);
      const second = nextReportRun(values, first);
      expect(first > after && second > first).toBe(true);
      expect(reportPeriod(values, first).end).toEqual(reportPeriod(values, second).start);
      expect(reportPeriod(values, first).end <= first).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('finds the days before, also over changes of the clocks and of the month', () => {
  const before = (at: string, timeZone: string) =>
    daysBefore(Date.parse(at), 2, timeZone).map((day) => new Date(day).toISOString());
  expect(before('2026-03-30T10:00:00Z', 'Europe/Madrid')).toEqual([
    '2026-03-27T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
  ]);
  expect(before('2026-10-26T10:00:00Z', 'Europe/Madrid')).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
  ]);
  expect(before('2026-03-01T12:00:00Z', 'UTC')).toEqual([
    '2026-02-27T00:00:00.000Z',
    '2026-02-28T00:00:00.000Z',
  ]);
});
