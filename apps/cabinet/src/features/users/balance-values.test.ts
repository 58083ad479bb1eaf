import { BillingInput } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { balanceAfter, counterBalance, EMPTY, readSum, toBilling } from './balance-values.ts';

test.each([
  ['100', 100],
  ['1 500,50', 1500.5],
  ['0.01', 0.01],
  ['0', null],
  ['', null],
  ['-5', null],
  ['1,234', null],
  ['1000000000', 1e9],
  ['1000000000.01', null],
  ['100000000000', null],
  ['1e3', null],
  ['5.', 5],
])('%j is %s', (typed, sum) => {
  expect(readSum(typed)).toBe(sum);
});

test.each([
  [0.1, 'accrual', '0,2', 0.3],
  [100, 'subtract', '250.5', -150.5],
  [100, 'subtract', 'x', null],
] as const)('%s with %s of %s is %s', (before, direction, sum, after) => {
  expect(balanceAfter(before, { ...EMPTY, direction, sum })).toBe(after);
});

test.each([
  [100, 'accrual', '30,5', 69.5],
  [100, 'subtract', '30.5', 130.5],
  [100, 'accrual', 'x', 100],
] as const)('%s of the own balance after %s of %s is %s', (own, direction, sum, left) => {
  expect(counterBalance(own, { ...EMPTY, direction, sum })).toBe(left);
});

const OwnerId = '01930000-0000-7000-8000-000000000103';

test('an accrual is no charge for messages, whatever was chosen before', () => {
  const values = {
    ...EMPTY,
    source: 'sendings.sms',
    sum: '10',
    multiplier: '3',
    comment: ' gift ',
  };
  expect(toBilling(values, OwnerId)).toEqual({
    source: 'accrual',
    amount: 10,
    OwnerId,
    data: { hidden: { comment: 'gift', noRef: false } },
  });
});

test('a charge for messages tells its units', () => {
  const values = {
    ...EMPTY,
    direction: 'subtract',
    source: 'sendings.sms',
    sum: '5',
    multiplier: '3',
  } as const;
  expect([balanceAfter(100, values), counterBalance(10, values)]).toEqual([85, 25]);
  const body = toBilling(values, OwnerId);
  expect(body).toMatchObject({ source: 'sendings.sms', amount: 5, data: { multiplier: 3 } });
  expect(BillingInput.safeParse(body).success).toBe(true);
});

test.each([
  [{ sum: 'ten' }, 'sum'],
  [{ direction: 'subtract', source: 'sendings.sms', sum: '1', multiplier: '0' }, 'multiplier'],
  [
    { direction: 'subtract', source: 'sendings.sms', sum: '1000000000', multiplier: '999999999' },
    'multiplier',
  ],
] as const)('%o: %s must be mended', (values, wrong) => {
  expect(toBilling({ ...EMPTY, ...values }, OwnerId)).toEqual({ wrong });
  expect(balanceAfter(1, { ...EMPTY, ...values })).toBeNull();
});
