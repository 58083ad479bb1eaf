import type { MarginRow } from '@heliograph/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { daysOf, faultOf, lastDays, ordered } from './margin-figures.ts';

const row = (key: string, amount: number, cost: number | null, currency = 'RUB'): MarginRow => ({
  key,
  name: null,
  messages: 1,
  units: 1,
  currency,
  amount,
  refunded: 0,
  costCurrency: cost === null ? null : currency,
  cost,
  margin: cost === null ? null : amount - cost,
});
const keys = (rows: MarginRow[]) => rows.map(({ key }) => key);

test('a loss on what was not charged is the lowest in percent, and what is not known comes last', () => {
  const rows = [
    row('good', 100, 50),
    row('unknown', 80, null),
    row('bad', 10, 90),
    row('free', 0, 5),
    row('nothing', 0, 0),
  ];
  expect(keys(ordered(rows, 'channel', 'share'))).toEqual([
    'free',
    'bad',
    'nothing',
    'good',
    'unknown',
  ]);
});

test('sums of different currencies are not compared', () => {
  const rows = [
    row('a', 900, 100),
    row('b', 700, 900, 'USD'),
    row('c', 500, 600),
    row('d', 300, null),
    row('e', 10, 5, 'USD'),
  ];
  expect(keys(ordered(rows, 'account', 'amount'))).toEqual(['a', 'c', 'd', 'b', 'e']);
  expect(keys(ordered(rows, 'account', 'margin'))).toEqual(['c', 'a', 'd', 'b', 'e']);
  const days = [row('2026-11-20', 9, 1), row('2026-11-21', 8, 1, 'USD'), row('2026-11-22', 7, 1)];
  expect(keys(ordered(days, 'day', 'amount'))).toEqual(['2026-11-22', '2026-11-21', '2026-11-20']);
});

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'America/Los_Angeles';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

// A Sunday's evening of November in Los Angeles, in which its clocks changed, and Monday by UTC.
const NOW = Date.parse('2026-11-02T02:00:00Z');

test.each([
  ['yesterday', '2026-11-01', '2026-11-01'],
  ['week', '2026-11-02', '2026-11-02'],
  ['lastWeek', '2026-10-26', '2026-11-01'],
  ['month', '2026-11-01', '2026-11-02'],
  ['lastMonth', '2026-10-01', '2026-10-31'],
  ['2026-10-05..2026-10-06', '2026-10-05', '2026-10-06'],
  ['2026-10-05..', '2026-10-05', '2026-11-02'],
])('%s is of days of UTC', (period, from, to) => {
  expect(daysOf(period, NOW)).toEqual({ from, to });
});

test('the last thirty days are of UTC', () => {
  expect(lastDays(NOW)).toEqual({ from: '2026-10-04', to: '2026-11-02' });
  expect(daysOf('soon', NOW)).toBeNull();
});

test.each([
  ['2026-11-02', '2026-11-01', 'reversed'],
  ['2026-01-01', '2027-01-01', null],
  ['2026-01-01', '2027-01-02', 'long'],
])('days from %s to %s: %s', (from, to, fault) => {
  expect(faultOf({ from, to })).toBe(fault);
});
