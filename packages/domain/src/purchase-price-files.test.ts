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
