import { expect, test } from 'vitest';
import { priceColumns, priceField, readPrice } from './purchase-price-files.ts';

const row = (header: string[], cells: string[]) =>
  readPrice(cells, priceColumns(header)!, { type: 'sms', currency: 'EUR', mark: null });

test.each([
  [['MCC/MNC', 'Rate'], ['25001', '0.05'], '25001'],
  [['MCC MNC', 'Rate'], ['250-01', '0.05'], '25001'],
  [['MCC', 'MNC', 'Price'], ['250', '1', '0.05'], '25001'],
  [['MCC', 'MNC', 'Price'], ['310', '410', '0.05'], '310410'],
  [['MCC', 'MNC', 'Price'], ['250', '', '0.05'], '250*'],
  [['MCC', 'MNC', 'Price'], ['250', 'All', '0.05'], '250*'],
  [['Prefix', 'Цена'], ['7916', '0,05'], '+7916'],
  [['Dial code', 'Preis'], ['+7916', '0,05'], '+7916'],
  [['Country', 'Network', 'MCCMNC', 'Price (EUR)'], ['Russia', 'MTS', '25001', '0.05'], '25001'],
  [['Country ISO', 'Price'], ['ru', '0.05'], 'RU'],
  [['Destination', 'Price'], ['Default', '0.05'], '*'],
  [['Destination', 'Price'], ['250*', '0.05'], '250*'],
])('%o of %o is for %s', (header, cells, destination) => {
  expect(row(header, cells)).toEqual({ type: 'sms', destination, price: 50_000n });
});

test.each([
  [['MCCMNC', 'Price'], ['25001', ''], 'price'],
  [['MCCMNC', 'Price'], ['25001', 'n/a'], 'price'],
  [['MCCMNC', 'Price'], ['25001', '-1'], 'price'],
  [['MCCMNC', 'Price'], ['', '1'], 'destination'],
  [['MCCMNC', 'Price'], ['2500', '1'], 'destination'],
  [['MCCMNC', 'Price'], ['9'.repeat(10_000), '1'], 'destination'],
  [['Country', 'Price'], ['Russia', '1'], 'destination'],
  [['Prefix', 'Price'], ['7900-7909', '1'], 'destination'],
  [['Prefix', 'Price'], ['7900/7901', '1'], 'destination'],
  [['MCCMNC', 'Price'], ['25001/25002', '1'], 'destination'],
  [['MCCMNC', 'Price'], ['25001', '1,234'], 'ambiguous_price'],
  [['MCCMNC', 'Price'], ['25001', '12.345'], 'ambiguous_price'],
  [['MCC', 'MNC', 'Price'], ['250', 'MTS', '1'], 'destination'],
  [['Type', 'MCCMNC', 'Price'], ['fax', '25001', '1'], 'type'],
  [['MCCMNC', 'Price', 'Currency'], ['25001', '1', 'USD'], 'currency'],
])('%o of %o is refused for its %s', (header, cells, reason) => {
  expect(row(header, cells)).toEqual({ reason });
});

test('the type and the currency of a row are read in any case', () => {
  expect(row(['Type', 'MCCMNC', 'Price', 'Currency'], ['Viber', '25001', '1', 'eur'])).toEqual({
    type: 'viber',
    destination: '25001',
    price: 1_000_000n,
  });
});

test.each([
  [['Prefix', 'Rate', 'Billing increment'], ['7', '0.6', '60/1'], { first: 60, interval: 1 }],
  [['Prefix', 'Rate', 'Increments'], ['7', '0.6', '6'], { first: 6, interval: 6 }],
  [['Prefix', 'Rate', 'First', 'Next'], ['7', '0.6', '30', '6'], { first: 30, interval: 6 }],
  [['Префикс', 'Цена', 'Следующий интервал'], ['7', '0.6', '6'], { first: 6, interval: 6 }],
  [['Prefix', 'Rate', 'Billing increment'], ['7', '0.6', ''], undefined],
])('%o of %o bills calls by %o', (header, cells, byLength) => {
  const of = { type: 'voice', currency: 'EUR', mark: null } as const;
  expect(readPrice(cells, priceColumns(header)!, of)).toEqual({
    type: 'voice',
    destination: '+7',
    price: 600_000n,
    ...(byLength && { byLength }),
  });
});

test.each(['0/1', '1/0', '3601/1', '60/1/1', '60+1', '-60', '1.5', 'minute', '2026-01-01'])(
  'a call is not billed by %s',
  (increment) => {
    const columns = priceColumns(['Prefix', 'Rate', 'Increment', 'First'])!;
    const read = (...cells: string[]) =>
      readPrice(['7', '0.6', ...cells], columns, { type: 'voice', currency: 'EUR', mark: null });
    expect(read(increment, '')).toEqual({ reason: 'intervals' });
    expect(read('60/1', '60')).toEqual({ reason: 'intervals' });
  },
);

test.each(['60/1', '100', 'per SMS'])('other messages have no intervals: %s', (increment) => {
  const read = row(['Prefix', 'Rate', 'Increment'], ['7', '0.6', increment]);
  expect(read).toEqual(row(['Prefix', 'Rate'], ['7', '0.6']));
  expect(read).toHaveProperty('price');
});

test('a header names a price and what it holds for', () => {
  expect(priceColumns(['Country', 'Operator'])).toBeNull();
  expect(priceColumns(['Price', 'Operator'])).toBeNull();
  expect(priceColumns(['25001', '0.05'])).toBeNull();
  expect(priceField('x'.repeat(1000))).toBeNull();
});

test('the fractions of the other prices tell how 1,234 is meant', () => {
  const columns = priceColumns(['MCCMNC', 'Price'])!;
  const price = (mark: ',' | '.') =>
    readPrice(['25001', '1,234'], columns, { type: 'sms', currency: 'EUR', mark });
  expect(price(',')).toMatchObject({ price: 1_234_000n });
  expect(price('.')).toEqual({ reason: 'ambiguous_price' });
});
