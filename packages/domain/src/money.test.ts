import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMoney,
  formatMoney,
  hasCents,
  hasMoneyScale,
  moneyToNumber,
  multiplyMoney,
  parseMoney,
  returnableAmount,
  subtractMoney,
  transferableAmount,
} from './money.ts';

const LIMIT = 10n ** 18n;
const money = fc.bigInt({ min: -LIMIT + 1n, max: LIMIT - 1n });

describe('money', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [3.2, 32_000n],
    [0.0001, 1n],
    [1990, 19_900_000n],
    ['12.3400', 123_400n],
    ['-0.5', -5_000n],
    ['+1.', 10_000n],
    ['1.230000', 12_300n],
    ['99999999999999.9999', LIMIT - 1n],
  ])('%j is parsed as %s', (amount, expected) => {
    expect(parseMoney(amount)).toBe(expected);
  });

  it.each([0.00001, 0.1 + 0.2, 1e21, 1e-7, NaN, Infinity, '', 'x', '1,5', '.5', '1e3', '1.00001'])(
    '%j is no amount',
    (amount) => {
      expect(() => parseMoney(amount)).toThrow(RangeError);
    },
  );

  it.each([
    [0n, '0.0000'],
    [1n, '0.0001'],
    [-5_000n, '-0.5000'],
    [123_400n, '12.3400'],
  ])('%s is formatted as %s', (amount, expected) => {
    expect(formatMoney(amount)).toBe(expected);
  });

  it('parses its formatted text', () => {
    fc.assert(
      fc.property(money, (amount) => {
        expect(formatMoney(amount)).toMatch(/^-?\d+\.\d{4}$/);
        expect(parseMoney(formatMoney(amount))).toBe(amount);
      }),
    );
  });

  it('parses its JSON number below 10^11', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (amount) => {
        expect(JSON.stringify(moneyToNumber(amount))).toMatch(/^-?\d+(\.\d{1,4})?$/);
        expect(parseMoney(moneyToNumber(amount))).toBe(amount);
      }),
    );
  });

  it('adds, subtracts and multiplies exactly', () => {
    expect(addMoney(parseMoney(0.1), parseMoney(0.2))).toBe(parseMoney(0.3));
    expect(subtractMoney(parseMoney(1), parseMoney(0.9))).toBe(parseMoney(0.1));
    expect(multiplyMoney(parseMoney(3.2), 3)).toBe(parseMoney(9.6));
    expect(() => multiplyMoney(1n, 1.5)).toThrow(RangeError);
    expect(() => addMoney(LIMIT - 1n, 1n)).toThrow(RangeError);
    expect(() => subtractMoney(1n - LIMIT, 1n)).toThrow(RangeError);
    expect(() => multiplyMoney(LIMIT - 1n, 2)).toThrow(RangeError);
  });
});

it.each([
  [12.3401, true],
  [0.3, true],
  [0.1 + 0.2, false],
  [0.00001, false],
  [1e21, false],
  [NaN, false],
])('%d is a valid amount: %s', (amount, has) => {
  expect(hasMoneyScale(amount)).toBe(has);
});

it.each([
  [{ balance: 100n, overdraft: 0n, creditLine: 0n }, 100n],
  [{ balance: 100n, overdraft: 50n, creditLine: 0n }, 100n],
  [{ balance: 100n, overdraft: 50n, creditLine: 20n }, 120n],
  [{ balance: 100n, overdraft: 50n, creditLine: 80n }, 150n],
  [{ balance: -30n, overdraft: 50n, creditLine: 20n }, -10n],
])('the transferable amount of %o', (account, most) => {
  expect(transferableAmount(account)).toBe(most);
});

it.each([
  [{ balance: 100n, freeCredit: 0n }, 100n],
  [{ balance: 100n, freeCredit: 70n }, 30n],
  [{ balance: 70n, freeCredit: 70n }, 0n],
  [{ balance: -10n, freeCredit: 0n }, 0n],
])('of %o a reseller can take back %d', (account, most) => {
  expect(returnableAmount(account)).toBe(most);
});

it.each([
  [1.25, true],
  [1.255, false],
  [0.123456, false],
  [1e-7, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('%d has at most two decimals: %s', (amount, has) => {
  expect(hasCents(amount)).toBe(has);
});
