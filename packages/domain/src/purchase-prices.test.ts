import { expect, test } from 'vitest';
import {
  compilePurchasePrices,
  costToNumber,
  formatCost,
  isPurchaseDestination,
  parseCost,
  purchasedUnits,
  type PriceList,
} from './purchase-prices.ts';

const at = (day: string) => new Date(`${day}T00:00:00Z`);
const list = (id: string, from: string, prices: Record<string, bigint>): PriceList => ({
  id,
  currency: 'EUR',
  validFrom: at(from),
  prices: Object.entries(prices).map(([destination, price]) => ({
    type: 'sms',
    destination,
    price,
  })),
});
const mts = { phone: '+79161234567', mccmnc: '25001', country: 'RU' };

test.each([
  [{ '*': 1n, RU: 2n, '250*': 3n, '+7': 4n, '+7916': 5n, '25001': 6n }, 6n, '25001'],
  [{ '*': 1n, RU: 2n, '250*': 3n, '+7': 4n, '+7916': 5n, '25002': 6n }, 5n, '+7916'],
  [{ '*': 1n, RU: 2n, '250*': 3n, '+7': 4n }, 4n, '+7'],
  [{ '*': 1n, RU: 2n, '250*': 3n }, 3n, '250*'],
  [{ '*': 1n, RU: 2n }, 2n, 'RU'],
  [{ '*': 1n, KZ: 2n }, 1n, '*'],
  [{ '25001': 0n, '*': 1n }, 0n, '25001'],
])('the narrowest destination of %o decides', (prices, price, destination) => {
  const book = compilePurchasePrices([list('a', '2026-01-01', prices)]);
  expect(book.price('sms', mts, at('2026-02-01'))).toEqual({
    price,
    destination,
    currency: 'EUR',
    listId: 'a',
  });
});

test('what is unknown is null, not 0', () => {
  const book = compilePurchasePrices([list('a', '2026-01-01', { RU: 2n })]);
  expect(book.price('sms', mts, at('2025-12-31'))).toBeNull();
  expect(book.price('viber', mts, at('2026-01-01'))).toBeNull();
  expect(book.price('sms', { mccmnc: '40101', country: 'KZ' }, at('2026-01-01'))).toBeNull();
  expect(book.price('sms', {}, at('2026-01-01'))).toBeNull();
  expect(compilePurchasePrices([]).price('sms', mts, at('2026-01-01'))).toBeNull();
});

test('calls that are billed by their length have the intervals of their price', () => {
  const byLength = { first: 60, interval: 1 };
  const prices = [
    { type: 'voice' as const, destination: 'RU', price: 2n, byLength },
    { type: 'voice' as const, destination: '*', price: 3n },
  ];
  const book = compilePurchasePrices([{ ...list('a', '2026-01-01', {}), prices }]);
  expect(book.price('voice', mts, at('2026-02-01'))).toMatchObject({ price: 2n, byLength });
  expect(book.price('voice', {}, at('2026-02-01'))).not.toHaveProperty('byLength');
});

test('a list is in force from its start until the next one, whole', () => {
  const book = compilePurchasePrices([
    list('b', '2026-03-01', { RU: 3n }),
    list('a', '2026-01-01', { RU: 2n, '25001': 9n }),
  ]);
  const price = (day: string) => book.price('sms', mts, at(day))?.price;
  expect(price('2026-01-01')).toBe(9n);
  expect(price('2026-02-28')).toBe(9n);
  expect(price('2026-03-01')).toBe(3n);
});

test.each([
  ['0.0485', 48_500n],
  ['0,0485', 48_500n],
  [' 12 ', 12_000_000n],
  [0.000001, 1n],
  [0.1, 100_000n],
  ['0.0000010', 1n],
  ['0.0000001', null],
  [1e-7, null],
  [-1, null],
  ['1 000', null],
  ['1.000,5', null],
  ['', null],
  [Number.NaN, null],
  [1e12, null],
  ['9'.repeat(100), null],
])('%j is a price of %s', (given, cost) => {
  expect(parseCost(given)).toBe(cost);
});

test('prices are written with six decimals', () => {
  expect(formatCost(48_500n)).toBe('0.048500');
  expect(formatCost(-1n)).toBe('-0.000001');
  expect(costToNumber(12_000_001n)).toBe(12.000001);
});

test.each(['25001', '310410', '250*', 'RU', '+7', '+79161234567', '*'])(
  '%s can have a price',
  (d) => expect(isPurchaseDestination(d)).toBe(true),
);
test.each(['', '2500', 'ru', 'RUS', '7916', '+', '25*', '**', '+7a', '1234567'])('%j cannot', (d) =>
  expect(isPurchaseDestination(d)).toBe(false),
);

test('sms is bought by the segment, other types by the message', () => {
  expect(purchasedUnits('sms', 3)).toBe(3);
  expect(purchasedUnits('viber', 3)).toBe(1);
  expect(purchasedUnits('voice', 1)).toBe(1);
});
