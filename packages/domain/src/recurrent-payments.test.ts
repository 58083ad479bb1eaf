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
  const found = nextChargeAt(new Date(anchor), frequency, new Date(after));
  expect(found).toEqual(new Date(expected));
});

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
