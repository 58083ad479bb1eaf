import type { AnalyticsFigures } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { partOfDay } from './greeting.ts';
import {
  FEW_DAYS,
  isLow,
  isWeak,
  messagesOf,
  needsOf,
  stepsDone,
  weakestOf,
} from './home-rules.ts';

const nothing = {
  isPhoneMissing: false,
  waiting: 0,
  conversations: 0,
  rejected: [],
  paused: [],
  failing: [],
  available: 1000,
  daysLeft: null,
  mayPay: true,
};

it('greets by the clock', () => {
  expect([0, 4, 5, 11, 12, 17, 18, 23].map(partOfDay)).toEqual([
    'night',
    'night',
    'morning',
    'morning',
    'day',
    'day',
    'evening',
    'evening',
  ]);
});

it('counts no message that was cancelled', () => {
  const day = { from: '2026-01-01T00:00:00.000Z', delivered: 20, failed: 5, spent: 1 };
  expect(messagesOf({ ...day, total: 100, cancelled: 60 })).toBe(40);
});

it('needs nobody when all is well', () => {
  expect(needsOf(nothing)).toEqual([]);
  expect(needsOf({ ...nothing, daysLeft: FEW_DAYS + 1 })).toEqual([]);
  expect(needsOf({ ...nothing, available: null, daysLeft: null })).toEqual([]);
});

it('tells of tasks that wait for money or for something else, not of those paused by hand', () => {
  const paused = [
    { id: 'one', title: 'Sale', reason: 'insufficient_funds' },
    { id: 'two', title: 'Sale', reason: 'sender_not_approved' },
    { id: 'three', title: 'By hand', reason: null },
  ];
  expect(needsOf({ ...nothing, paused })).toEqual([
    { key: 'one', kind: 'paused', name: 'Sale', to: '/messages/tasks/one' },
    { key: 'two', kind: 'held', name: 'Sale', to: '/messages/tasks/two' },
  ]);
});

it('tells of a balance that lasts few days, or is gone', () => {
  expect(needsOf({ ...nothing, daysLeft: FEW_DAYS })[0]?.kind).toBe('lowBalance');
  expect(needsOf({ ...nothing, available: 0 })[0]).toMatchObject({
    kind: 'lowBalance',
    to: '/balance/payments?topUp=true',
  });
  expect(needsOf({ ...nothing, available: 0, mayPay: false })[0]?.to).toBeNull();
});

it('leads to the name that was rejected', () => {
  const rejected = [{ id: 'abc', name: 'MIRCHAY' }];
  expect(needsOf({ ...nothing, rejected })).toEqual([
    { key: 'abc', kind: 'rejected', name: 'MIRCHAY', to: '/settings/sendernames?id=abc' },
  ]);
});

it('leads who decides about names to the queue, first of all', () => {
  const rejected = [{ id: 'abc', name: 'MIRCHAY' }];
  const [first] = needsOf({ ...nothing, waiting: 2, rejected });
  expect(first).toMatchObject({ kind: 'queue', count: 2, to: '/settings/sendernames/queue' });
});

it('asks for the phone before anything else, and for answers before what only failed', () => {
  const needs = needsOf({
    ...nothing,
    isPhoneMissing: true,
    conversations: 3,
    rejected: [{ id: 'abc', name: 'MIRCHAY' }],
    failing: [{ id: 'hook', title: 'CRM' }],
  });
  expect(needs.map(({ kind, to }) => [kind, to])).toEqual([
    ['phone', '?identity=phone'],
    ['waiting', '/messages/conversations?f.state=waiting'],
    ['webhook', '/settings/webhooks?id=hook'],
    ['rejected', '/settings/sendernames?id=abc'],
  ]);
  expect(needs[1]!.count).toBe(3);
});

const results = (delivered: number, failed: number, key = '25001') => ({
  key,
  title: null,
  figures: { delivered, failed } as AnalyticsFigures,
});

it('names the operator without which most would be delivered, if it is notably worse', () => {
  const [mts, tele2] = [results(950, 50), results(480, 20, '25020')];
  expect(weakestOf([mts, tele2])).toBeNull();
  expect(weakestOf([])).toBeNull();
  expect(weakestOf([results(10, 90)])).toBeNull();
  // A few numbers say nothing, and who has no name is no operator.
  expect(weakestOf([mts, tele2, results(2, 20, '40101'), results(20, 80, '')])).toBeNull();
  // The small one has the lower share, the big one the greater loss.
  const found = weakestOf([mts, tele2, results(30, 20, '40101'), results(800, 200, '25002')]);
  expect(found).toMatchObject({ key: '25002', share: 0.8 });
  expect(found!.others).toBeCloseTo(1460 / 1550);
});

it('says of a customer that money runs out, or that little arrives', () => {
  expect([0, -1, 29, 30, 1000].map((balance) => isLow(balance, 70, 7))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([isLow(undefined, 70, 7), isLow(5, null, 7)]).toEqual([false, false]);
  const total = { delivered: 950, failed: 50 } as AnalyticsFigures;
  const weak = (delivered: number, failed: number) =>
    isWeak({ delivered, failed } as AnalyticsFigures, total);
  expect([weak(90, 10), weak(80, 20), weak(8, 2), weak(0, 0)]).toEqual([false, true, false, false]);
});

it('takes no first step for a person: the name and the credit that were given are none', () => {
  const settings = (isTest: boolean) =>
    ({ session: { isTest, isRestricted: isTest }, sendings: { grantedSender: 'DEMO' } }) as never;
  const given = { names: [{ name: 'DEMO' }], lists: 0, sent: 0 };
  const none = { phone: false, sendername: false, contacts: false, send: false, topUp: false };
  expect(stepsDone(given, settings(true))).toEqual(none);
  expect(stepsDone({}, settings(true))).toEqual({ phone: false, topUp: false });
  const own = { names: [{ name: 'DEMO' }, { name: 'MIRCHAY' }], lists: 1, sent: 3 };
  const all = { phone: true, sendername: true, contacts: true, send: true, topUp: true };
  expect(stepsDone(own, settings(false))).toEqual(all);
});
