import { parseMoney } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { AcquirerRefused } from './acquirer.ts';
import { fromDecimal, fromMinor, toDecimal, toMinor } from './amounts.ts';
import { decimalsOf, smallestUnit } from './stripe/currencies.ts';

test.each([
  ['12.30', 'EUR', 1230],
  ['0.01', 'RUB', 1],
  ['500', 'JPY', 500],
  ['1.23', 'KWD', 1230],
  ['5', 'ISK', 500],
])('%s %s is %s at Stripe, and back', (amount, currency, minor) => {
  const decimals = decimalsOf(currency);
  expect(toMinor(parseMoney(amount), decimals)).toBe(minor);
  expect(fromMinor(minor, decimals)).toBe(parseMoney(amount));
});

test.each([
  ['12.345', 'EUR'],
  ['12.3456', 'KWD'],
  ['500.5', 'JPY'],
  ['0', 'EUR'],
  ['-1', 'EUR'],
])('%s %s is refused, as it cannot be collected', (amount, currency) => {
  expect(() => toMinor(parseMoney(amount), decimalsOf(currency))).toThrow(AcquirerRefused);
});

test.each([
  ['EUR', '0.01'],
  ['KWD', '0.01'],
  ['JPY', '1'],
  ['UGX', '1'],
])('the smallest amount of %s is %s', (currency, smallest) => {
  expect(smallestUnit(currency)).toBe(parseMoney(smallest));
});

test.each([['1'], [1.5], [-1], [2 ** 53], [null], [undefined], [{}], [Number.NaN]])(
  'does not read %j as an amount',
  (value) => {
    expect(fromMinor(value, 2)).toBeUndefined();
  },
);

test('decimals are read and written exactly', () => {
  expect(toDecimal(parseMoney('12.3'))).toBe('12.30');
  for (const text of ['1e3', '1.234', '-1', ' 1', '1'.repeat(13)])
    expect(fromDecimal(text)).toBeUndefined();
});
