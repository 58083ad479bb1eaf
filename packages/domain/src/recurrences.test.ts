import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  REPEAT_FREQUENCIES,
  nextOccurrence,
  nextOccurrences,
  type Recurrence,
} from './recurrences.ts';

const rule = (values: Partial<Recurrence>): Recurrence => ({
  frequency: 'daily',
  weekdays: [],
  day: null,
  minutes: 540,
  timeZone: 'UTC',
  ...values,
});
const times = (values: Partial<Recurrence>, after: string, count: number) =>
  nextOccurrences(rule(values), new Date(after), count).map((at) => at.toISOString());

it('is strictly later, on days of the week, in the time zone', () => {
  expect(times({}, '2026-11-22T08:59:59.999Z', 2)).toEqual([
    '2026-11-22T09:00:00.000Z',
    '2026-11-23T09:00:00.000Z',
  ]);
  const weekly = { frequency: 'weekly', weekdays: [5, 1], timeZone: 'Asia/Tokyo' } as const;
  // Sunday 9:00 in Tokyo.
  expect(times(weekly, '2026-11-22T00:00:00.000Z', 3)).toEqual([
    '2026-11-23T00:00:00.000Z',
    '2026-11-27T00:00:00.000Z',
    '2026-11-30T00:00:00.000Z',
  ]);
});

it('is on the last day of shorter months, of leap years too', () => {
  const monthly = { frequency: 'monthly', day: 31 } as const;
  expect(times(monthly, '2027-12-31T09:00:00.000Z', 4)).toEqual([
    '2028-01-31T09:00:00.000Z',
    '2028-02-29T09:00:00.000Z',
    '2028-03-31T09:00:00.000Z',
    '2028-04-30T09:00:00.000Z',
  ]);
  expect(times({ ...monthly, day: 30 }, '2027-02-01T00:00:00.000Z', 2)).toEqual([
    '2027-02-28T09:00:00.000Z',
    '2027-03-30T09:00:00.000Z',
  ]);
  expect(times({ ...monthly, day: 29 }, '2028-02-01T00:00:00.000Z', 1)).toEqual([
    '2028-02-29T09:00:00.000Z',
  ]);
});

it('begins and ends on days of the time zone, both included', () => {
  const days = { timeZone: 'Pacific/Auckland', from: '2030-06-01', until: '2030-06-02' };
  // 9:00 in Auckland is 21:00 of the day before.
  expect(times(days, '2026-01-01T00:00:00.000Z', 5)).toEqual([
    '2030-05-31T21:00:00.000Z',
    '2030-06-01T21:00:00.000Z',
  ]);
  expect(nextOccurrence(rule(days), new Date('2030-06-01T21:00:00.000Z'))).toBeNull();
  expect(nextOccurrence(rule({ until: '2026-01-01' }), new Date('2026-06-01'))).toBeNull();
});

it.each([
  // Put forward from 2:00 to 3:00.
  ['Europe/Berlin', 150, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', 120, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', 180, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', 119, '2026-03-28T12:00:00Z', '2026-03-29T00:59:00.000Z'],
  // From 2:00 to 2:30, and from midnight to 1:00.
  ['Australia/Lord_Howe', 135, '2026-10-03T12:00:00Z', '2026-10-03T15:30:00.000Z'],
  ['Asia/Beirut', 10, '2026-03-28T12:00:00Z', '2026-03-28T22:00:00.000Z'],
])('in %s at minute %i, which the clocks skip, it is at the next that they show', (...one) => {
  const [timeZone, minutes, after, at] = one;
  expect(times({ timeZone, minutes }, after, 1)).toEqual([at]);
});

it('is once a day if the clocks show the time twice', () => {
  const berlin = { timeZone: 'Europe/Berlin', minutes: 150 };
  expect(times(berlin, '2026-10-24T12:00:00.000Z', 2)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  // Also from between the two.
  expect(times(berlin, '2026-10-25T01:00:00.000Z', 1)).toEqual(['2026-10-26T01:30:00.000Z']);
});

it('is once for a day that the clocks skip as a whole and the next', () => {
  // Samoa had no December 30, 2011.
  const apia = { timeZone: 'Pacific/Apia', minutes: 0 };
  expect(times(apia, '2011-12-29T12:00:00.000Z', 2)).toEqual([
    '2011-12-30T10:00:00.000Z',
    '2011-12-31T10:00:00.000Z',
  ]);
});

it('has a next time for every rule without an end, in time order, and shows its minutes or later ones', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Pacific/Chatham',
    'Africa/Casablanca',
  ];
  const rules = fc.record({
    frequency: fc.constantFrom(...REPEAT_FREQUENCIES),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    day: fc.integer({ min: 1, max: 31 }),
    minutes: fc.integer({ min: 0, max: 1439 }),
    timeZone: fc.constantFrom(...zones),
  });
  const start = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2034-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(rules, start, (one, after) => {
      const [first, second] = nextOccurrences(one, after, 2) as [Date, Date];
      expect(first > after && second > first).toBe(true);
      const clock = new Intl.DateTimeFormat('en', {
        timeZone: one.timeZone,
        hourCycle: 'h23',
        hour: 'numeric',
        minute: 'numeric',
      });
      const [hour, minute] = clock.formatToParts(first).filter(({ type }) => type !== 'literal');
      const shown = Number(hour!.value) * 60 + Number(minute!.value);
      expect(shown - one.minutes).toBeGreaterThanOrEqual(0);
      expect(shown - one.minutes).toBeLessThanOrEqual(60);
    }),
    { numRuns: 200 },
  );
});
