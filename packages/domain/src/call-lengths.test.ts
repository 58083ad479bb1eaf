import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callSeconds, priceOfCall, secondsOfCall } from './call-lengths.ts';
import { parseMoney } from './money.ts';
import { amountOf, compileTariffs, withFloor } from './pricing.ts';
import type { Tariff } from './tariff.ts';

describe('secondsOfCall', () => {
  it.each([
    // first/interval, seconds, charged
    ['1/1', 0, 0],
    ['1/1', 1, 1],
    ['1/1', 59, 59],
    ['60/60', 0, 0],
    ['60/60', 1, 60],
    ['60/60', 59, 60],
    ['60/60', 60, 60],
    ['60/60', 61, 120],
    ['60/1', 1, 60],
    ['60/1', 60, 60],
    ['60/1', 61, 61],
    ['6/6', 1, 6],
    ['6/6', 6, 6],
    ['6/6', 7, 12],
    ['30/6', 29, 30],
    ['30/6', 31, 36],
    ['30/6', 36, 36],
    ['30/6', 37, 42],
    // Only what has begun: a part of a second is one.
    ['1/1', 0.2, 1],
    ['60/1', 60.2, 61],
  ])('%s: %d seconds are charged as %d', (intervals, seconds, charged) => {
    const [first, interval] = intervals.split('/').map(Number) as [number, number];
    expect(secondsOfCall(seconds, { first, interval })).toBe(charged);
  });
});

describe('priceOfCall', () => {
  const intervals = { first: 60, interval: 6 };
  const call = { price: ['1', '0.01'].map(parseMoney), reserved: 66, intervals };
  it.each([
    [0, 0, '0'],
    [1, 60, '1.6'],
    [60, 60, '1.6'],
    [61, 66, '1.66'],
    [66, 66, '1.66'],
    // Nothing beyond the reserve.
    [67, 66, '1.66'],
    [86_400, 66, '1.66'],
  ])('%d seconds', (seconds, units, amount) => {
    expect(priceOfCall(call, seconds)).toEqual({ units, amount: parseMoney(amount) });
  });

  it('is never above the reserve, and never less for a longer call', () => {
    const interval = fc.integer({ min: 1, max: 3600 });
    const seconds = fc.integer({ min: 0, max: 86_400 });
    const money = fc.bigInt({ min: 0n, max: 10n ** 9n });
    fc.assert(
      fc.property(
        fc.record({ first: interval, interval }),
        fc.tuple(money, money),
        fc.integer({ min: 1, max: 7200 }),
        seconds,
        seconds,
        (of, price, sound, a, b) => {
          const reserved = secondsOfCall(sound, of);
          const reserve = amountOf(price, reserved, 'voice');
          const [short, long] = [Math.min(a, b), Math.max(a, b)].map(
            (length) => priceOfCall({ price, reserved, intervals: of }, length).amount,
          ) as [bigint, bigint];
          expect(short <= long && long <= reserve).toBe(true);
          // A call that is heard to its end costs what was reserved.
          expect(priceOfCall({ price, reserved, intervals: of }, sound).amount).toBe(reserve);
          // A reserve is for whole intervals.
          expect(secondsOfCall(reserved, of)).toBe(reserved);
        },
      ),
    );
  });
});

describe('a price by length', () => {
  const tariff = (price: number[], byLength?: Tariff['rules'][number]['byLength']): Tariff => ({
    id: `t${String(byLength?.first)}`,
    priority: 0,
    rules: [{ id: 'r', action: 'increase', price, conditions: [], priority: 0, byLength }],
  });
  const query = {
    type: 'voice' as const,
    sender: '74951230000',
    phone: '+79161234567',
    text: '',
    mccmnc: null,
    contactLists: [],
    group: null,
  };
  const own = tariff([1, 0.1], { first: 1, interval: 1 });

  it('is that of the rule which sets the price', () => {
    expect(compileTariffs([own]).price(query)?.byLength).toEqual({ first: 1, interval: 1 });
    expect(compileTariffs([tariff([1, 0.1])]).price(query)).not.toHaveProperty('byLength');
  });

  it.each([
    ['of other intervals', { first: 60, interval: 60 }],
    ['without intervals', undefined],
  ])('that has a floor %s has those of the floor', (_, byLength) => {
    const floor = compileTariffs([tariff([0, 0.2], byLength)]);
    const price = withFloor(compileTariffs([own]), floor, new Set([own.id])).price(query)!;
    expect(price.price).toEqual([10_000n, 2_000n]);
    expect(price.byLength).toEqual(byLength);
  });
});

it.each([
  [12, 12],
  ['12', 12],
  [' 12.01 ', 13],
  [12.345678901234, 13],
  [`12.${'0'.repeat(19)}1`, 12],
  [`12.${'0'.repeat(21)}`, undefined],
  [0, 0],
  ['86400', 86_400],
  ['86401', undefined],
  ['-1', undefined],
  ['0:12', undefined],
  ['1e3', undefined],
  ['', undefined],
  [null, undefined],
  [[12], undefined],
  [Number.NaN, undefined],
])('callSeconds of %j', (said, seconds) => {
  expect(callSeconds(said)).toBe(seconds);
});
