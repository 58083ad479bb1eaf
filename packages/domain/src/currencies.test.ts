import { expect, test } from 'vitest';
import { CURRENCIES, isCurrency } from './currencies.ts';

test('a currency is money that is in use', () => {
  for (const code of ['RUB', 'EUR', 'USD', 'KZT', 'XOF']) expect(isCurrency(code), code).toBe(true);
  for (const code of ['XXX', 'XTS', 'XAU', 'XDR', 'ABC', 'DEM', 'eur', 'EURO', ''])
    expect(isCurrency(code), code).toBe(false);
});

test('each stands once, in order', () => {
  expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].toSorted());
});
