import { expect, it } from 'vitest';
import { partOfDay } from './greeting.ts';
import { deliveredShare, FEW_DAYS, needsOf } from './home-rules.ts';

const nothing = { rejected: [], paused: [], available: 1000, daysLeft: null };

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

it('needs nobody when all is well', () => {
  expect(needsOf(nothing)).toEqual([]);
  expect(needsOf({ ...nothing, daysLeft: FEW_DAYS + 1 })).toEqual([]);
  expect(needsOf({ ...nothing, available: null, daysLeft: null })).toEqual([]);
});

it('tells of tasks that wait for money, not of those paused by hand', () => {
  const paused = [
    { title: 'Sale & more', reason: 'insufficient_funds' },
    { title: 'By hand', reason: null },
  ];
  expect(needsOf({ ...nothing, paused })).toEqual([
    {
      kind: 'paused',
      name: 'Sale & more',
      to: '/messages/tasks?f.state=paused&q=Sale%20%26%20more',
    },
  ]);
});

it('tells of a balance that lasts few days, or is gone', () => {
  expect(needsOf({ ...nothing, daysLeft: FEW_DAYS })[0]?.kind).toBe('lowBalance');
  expect(needsOf({ ...nothing, available: 0 })[0]?.kind).toBe('lowBalance');
});

it('leads to the name that was rejected', () => {
  const rejected = [{ id: 'abc', name: 'MIRCHAY' }];
  expect(needsOf({ ...nothing, rejected })).toEqual([
    { kind: 'rejected', name: 'MIRCHAY', to: '/settings/sendernames?id=abc' },
  ]);
});

it('shares out what arrived', () => {
  expect(deliveredShare({ total: 4, delivered: 3 })).toBe(0.75);
  expect(deliveredShare({ total: 0, delivered: 0 })).toBeNull();
  expect(deliveredShare(undefined)).toBeNull();
});
