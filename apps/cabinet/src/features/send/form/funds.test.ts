import type { Estimate, ReachedCap } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { fundedBy, missingOf, shortageOf } from './funds.ts';

const estimate = { amount: 12, max: 20, balanceAfter: -2, enough: false } as Estimate;

it('an estimate follows the balance', () => {
  expect(fundedBy(estimate, { balance: 112, overdraft: 0 })).toMatchObject({
    balanceAfter: 100,
    enough: true,
  });
  expect(fundedBy(estimate, { balance: 2, overdraft: 10 }).enough).toBe(true);
  expect(fundedBy(estimate, { balance: 2, overdraft: 9.9 }).enough).toBe(false);
  expect(fundedBy(estimate, undefined)).toBe(estimate);
});

it.each([
  ['a sum that is there', { ...estimate, enough: true }, { balance: 20, overdraft: 0 }, 3, null],
  ['a sum that is not', estimate, { balance: 10, overdraft: 0 }, 3, { amount: 12, available: 10 }],
  ['a balance that is nobody’s business', estimate, undefined, 3, { amount: 12, available: null }],
  [
    'less than one message',
    undefined,
    { balance: 2, overdraft: 0 },
    3,
    { amount: null, available: 2 },
  ],
  ['enough for one message', undefined, { balance: 3, overdraft: 0 }, 3, null],
  ['messages for nothing', undefined, { balance: 0, overdraft: 0 }, 0, null],
  ['nothing known', undefined, undefined, 3, null],
])('of %s', (_, priced, funds, lowest, shortage) => {
  expect(shortageOf(priced, funds, lowest)).toEqual(shortage);
});

it('a cap is the reason if the balance would do', () => {
  const cap = { limit: 100, spent: 92.5, period: 'day' } as ReachedCap;
  const capped = { ...estimate, cap };
  expect(shortageOf(capped, { balance: 20, overdraft: 0 }, 3)).toEqual({
    amount: 12,
    available: 7.5,
    cap,
  });
  expect(shortageOf(capped, undefined, 3)).toMatchObject({ available: 7.5, cap });
  expect(shortageOf(capped, { balance: 2, overdraft: 0 }, 3)).toEqual({
    amount: 12,
    available: 2,
  });
  const exceeded = { ...capped, cap: { ...cap, spent: 101 } };
  expect(shortageOf(exceeded, undefined, 3)).toMatchObject({ available: 0 });
});

it('says what is to be topped up, in whole units, where money helps', () => {
  expect(missingOf({ amount: 600.2, available: 251.5 })).toBe(349);
  expect(missingOf({ amount: 0.3, available: 0.1 + 0.2 - 0.3 })).toBe(1);
  expect(missingOf({ amount: null, available: 5 })).toBeUndefined();
  const cap = { period: 'day', limit: 5, spent: 5, resetsAt: '' } as never;
  expect(missingOf({ amount: 12, available: 0, cap })).toBeUndefined();
  expect(missingOf(null)).toBeUndefined();
});
