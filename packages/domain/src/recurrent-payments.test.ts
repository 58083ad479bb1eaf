import { expect, test } from 'vitest';
import {
  canReInit,
  MAX_FAILED_CHARGES,
  nextChargeAt,
  RECURRENT_STATUSES,
  recurrentTransition,
  type Frequency,
  type RecurrentAction,
} from './recurrent-payments.ts';

test.each<[Frequency, string, string, string]>([
  ['daily', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-02-01T10:00:00Z'],
  ['daily', '2026-01-31T10:00:00Z', '2026-03-05T09:59:59Z', '2026-03-05T10:00:00Z'],
  ['weekly', '2026-01-01T10:00:00Z', '2026-01-15T10:00:00Z', '2026-01-22T10:00:00Z'],
  ['monthly', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['monthly', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
  ['monthly', '2026-11-30T10:00:00Z', '2027-01-30T09:00:00Z', '2027-01-30T10:00:00Z'],
  ['monthly', '2026-05-10T10:00:00Z', '2026-01-01T00:00:00Z', '2026-05-10T10:00:00Z'],
])('%s from %s after %s is %s', (frequency, anchor, after, expected) => {
  const series = { anchor: new Date(anchor), timeZone: 'UTC' };
  expect(nextChargeAt(series, frequency, new Date(after))).toEqual(new Date(expected));
});

test.each<[what: string, Frequency, zone: string, string, string, string]>([
  // 31 January in Moscow, 30 January in UTC.
  [
    'the last day there, not here',
    'monthly',
    'Europe/Moscow',
    '2026-01-30T23:00:00Z',
    '2026-01-30T23:00:00Z',
    '2026-02-27T23:00:00Z',
  ],
  [
    'the first day there',
    'monthly',
    'Asia/Vladivostok',
    '2026-01-31T15:00:00.250Z',
    '2026-02-01T00:00:00Z',
    '2026-02-28T15:00:00.250Z',
  ],
  [
    'the last day there, a day later here',
    'monthly',
    'America/Los_Angeles',
    '2026-02-01T05:00:00Z',
    '2026-02-01T05:00:00Z',
    '2026-03-01T05:00:00Z',
  ],
  // Summer time begins on 29 March.
  [
    'the time of day in summer',
    'monthly',
    'Europe/Berlin',
    '2026-03-10T09:00:00Z',
    '2026-03-10T09:00:00Z',
    '2026-04-10T08:00:00Z',
  ],
  [
    'the time of day on the day after',
    'daily',
    'Europe/Berlin',
    '2026-03-28T09:00:00Z',
    '2026-03-28T09:00:00Z',
    '2026-03-29T08:00:00Z',
  ],
  [
    'an hour that is skipped',
    'daily',
    'Europe/Berlin',
    '2026-03-28T01:30:00Z',
    '2026-03-28T01:30:00Z',
    '2026-03-29T01:30:00Z',
  ],
  // 2:30 comes twice on 25 October.
  [
    'an hour that comes twice, once',
    'daily',
    'Europe/Berlin',
    '2026-10-24T00:30:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00Z',
  ],
])('by the clocks of a time zone: %s', (_, frequency, timeZone, anchor, after, expected) => {
  const series = { anchor: new Date(anchor), timeZone };
  expect(nextChargeAt(series, frequency, new Date(after))).toEqual(new Date(expected));
});

test.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  'the months of ten years follow each other, one in each month: %s',
  (timeZone) => {
    for (const anchor of ['2026-01-31T00:30:00Z', '2026-08-30T23:30:00Z', '2027-02-28T12:00:00Z']) {
      const series = { anchor: new Date(anchor), timeZone };
      const month = new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', month: '2-digit' });
      const months = new Set([month.format(series.anchor)]);
      let at = series.anchor;
      for (let i = 1; i <= 120; i++) {
        at = nextChargeAt(series, 'monthly', at);
        months.add(month.format(at));
      }
      expect(months.size).toBe(121);
      expect([...months].toSorted()).toEqual([...months]);
    }
  },
);

test.each<[RecurrentAction, (string | null)[]]>([
  ['confirm', [null, 'ready', 'ready', null, null]],
  ['fail', [null, null, null, 'error', 'error']],
  ['pause', [null, null, null, null, 'pause']],
  ['resume', [null, null, null, 'ready', null]],
  ['block', [null, 'block', 'block', 'block', 'block']],
  ['unblock', ['pause', null, null, null, null]],
])('%s', (action, expected) => {
  const next = RECURRENT_STATUSES.map((status) =>
    recurrentTransition({ status, cardNumber: '4242', failures: 0 }, action),
  );
  expect(next).toEqual(expected);
});

test.each<[string, string | null, number, string]>([
  ['a card', '4242', MAX_FAILED_CHARGES - 1, 'pause'],
  ['a card that was refused too often', '4242', MAX_FAILED_CHARGES, 'error'],
  ['no card', null, 0, 'init'],
])('unblocked with %s', (_, cardNumber, failures, expected) => {
  expect(recurrentTransition({ status: 'block', cardNumber, failures }, 'unblock')).toBe(expected);
});

test('a first payment can be made in init and error', () => {
  expect(RECURRENT_STATUSES.filter(canReInit)).toEqual(['error', 'init']);
});
