import { describe, expect, test } from 'vitest';
import { parseMoney } from './money.ts';
import {
  applyPriceList,
  parsePriceRow,
  priceChanges,
  priceListField,
  repeatedRows,
  type ListedPrice,
  type PriceListField,
} from './price-list.ts';
import { decimalMarkOf, networkCode, numberPrefix } from './price-cells.ts';
import { compileTariffs } from './pricing.ts';
import type { SendingType } from './types.ts';

test.each([
  ['MCC', 'mcc'],
  ['Price, EUR', 'price'],
  ['Price (EUR)', 'price'],
  ['Цена', 'price'],
  ['Gültig ab', 'from'],
  ['Price per second, EUR', 'perSecond'],
  ['Billing increment', 'increments'],
  ['Первый интервал', 'first'],
  ['MCCMNC', 'network'],
  ['Country', null],
  ['x'.repeat(10_000), null],
])('the header %s is %s', (header, field) => {
  expect(priceListField(header)).toBe(field);
});

const EMPTY: Record<PriceListField, string> = {
  mcc: '',
  mnc: '',
  network: '',
  prefix: '',
  type: '',
  price: '1',
  perSecond: '',
  increments: '',
  first: '',
  interval: '',
  from: '',
};
const parse = (cells: Partial<typeof EMPTY>, mark: '.' | ',' | null = null) =>
  parsePriceRow(7, { ...EMPTY, ...cells }, mark);

describe('rows', () => {
  test.each<[Partial<typeof EMPTY>, object]>([
    [{ mcc: '250', mnc: '1' }, { target: { tag: 'mccmnc', value: '25001' } }],
    [{ mcc: '310', mnc: '260' }, { target: { tag: 'mccmnc', value: '310260' } }],
    [{ mcc: '401' }, { target: { tag: 'mccmnc', value: '401*' } }],
    [{ network: '250-01' }, { target: { tag: 'mccmnc', value: '25001' } }],
    [{ network: '250' }, { target: { tag: 'mccmnc', value: '250*' } }],
    [{ prefix: '+7 (916)' }, { target: { tag: 'recipient', value: '+7916' } }],
    [
      { type: 'SMS', price: '0,0125' },
      { target: null, type: 'sms', price: 125n },
    ],
    [{ price: '12' }, { price: 120_000n }],
    [
      { type: 'voice', price: '1', perSecond: '0,05' },
      { price: 10_000n, perSecond: 500n },
    ],
    [
      { type: 'voice', price: '', perSecond: '0.05', increments: '60/1' },
      { price: 0n, perSecond: 500n, byLength: { first: 60, interval: 1 } },
    ],
    [
      { perSecond: '0.05', first: '30', interval: '6' },
      { perSecond: 500n, byLength: { first: 30, interval: 6 } },
    ],
    [{ from: '2027-01-31' }, { from: '2027-01-31' }],
    [{ from: '2027-01-31 00:00' }, { from: '2027-01-31' }],
    [{ from: '31.1.2027' }, { from: '2027-01-31' }],
    [{ from: '31/01/2027' }, { from: '2027-01-31' }],
    [{ from: '01/31/2027' }, { from: '2027-01-31' }],
  ])('%j is read', (cells, expected) => {
    expect(parse(cells)).toMatchObject({ n: 7, ...expected });
  });

  test.each<[Partial<typeof EMPTY>, string]>([
    [{ mcc: '25', mnc: '01' }, 'network'],
    [{ mnc: '01' }, 'network'],
    [{ network: 'MTS' }, 'network'],
    [{ prefix: '7x' }, 'prefix'],
    [{ mcc: '250', prefix: '7' }, 'both'],
    [{ type: 'fax' }, 'type'],
    [{ price: '' }, 'price'],
    [{ price: '-1' }, 'price'],
    [{ price: '0.00001' }, 'price'],
    [{ price: '1 EUR' }, 'price'],
    [{ price: '1.234' }, 'ambiguous_price'],
    [{ type: 'voice', perSecond: 'x' }, 'price'],
    [{ type: 'voice', price: 'x', perSecond: '1' }, 'price'],
    [{ type: 'voice', perSecond: '1', increments: '0/1' }, 'intervals'],
    [{ type: 'voice', increments: '60/1' }, 'intervals'],
    [{ type: 'sms', perSecond: '1' }, 'intervals'],
    [{ from: '03/04/2027' }, 'date'],
    [{ from: '2027-02-30' }, 'date'],
    [{ from: 'soon' }, 'date'],
  ])('%j is left out: %s', (cells, reason) => {
    expect(parse(cells)).toBe(reason);
  });

  test('three digits after a mark are a fraction where the other prices have this mark', () => {
    expect(decimalMarkOf(['1.5', '0.075', '1.234'])).toBe('.');
    expect(decimalMarkOf(['1.5', '1,5'])).toBeNull();
    expect(decimalMarkOf(['1.234', '12'])).toBeNull();
    expect(parse({ price: '1.234' }, '.')).toMatchObject({ price: 12_340n });
    expect(parse({ price: '1,234' }, '.')).toBe('ambiguous_price');
  });
});

const row = (
  type: SendingType | null,
  value: string | null,
  price: number,
  from: string | null = null,
): ListedPrice => ({
  n: 1,
  type,
  target: value ? { tag: value.startsWith('+') ? 'recipient' : 'mccmnc', value } : null,
  price: parseMoney(price),
  perSecond: null,
  from,
});
const TODAY = '2027-01-15';
const priceOf = (rules: object[], mccmnc: string | null, phone = '+79161234567', text = 'Tea') => {
  const numbered = rules.map((rule, i) => ({ ...rule, id: String(9999 - i) }));
  const book = compileTariffs([{ id: 't', priority: 0, rules: numbered as never }]);
  const query = { type: 'sms' as const, sender: 'A', contactLists: [], group: null };
  const found = book.price({ ...query, mccmnc, phone, text });
  return found && Number(found.price[0]) / 10_000;
};

test('a network goes before its country, a prefix before both, and the price of the type is for the rest', () => {
  const rows = [
    row('sms', null, 9),
    row('sms', '250*', 3),
    row('sms', '25001', 2),
    row('sms', '25002', 2),
    row('sms', '+7', 4),
    row('sms', '+7916', 5),
  ];
  const [version, ...others] = applyPriceList([], rows, TODAY);
  expect(others).toEqual([]);
  const { rules } = version!;
  // Two networks with one price are one rule.
  expect(rules).toHaveLength(5);
  expect(priceOf(rules, '25001')).toBe(5);
  expect(priceOf(rules, '25001', '+79261234567')).toBe(4);
  expect(priceOf(rules, '25002', '+15551234567')).toBe(2);
  expect(priceOf(rules, '25099', '+15551234567')).toBe(3);
  expect(priceOf(rules, null, '+15551234567')).toBe(9);
});

test('a list replaces prices of its types alone; each day has what holds from then on', () => {
  const before = [
    {
      action: 'increase' as const,
      price: 1,
      priority: 50,
      conditions: [{ tag: 'keywords' as const, value: 'code' }],
    },
    { action: 'decrease' as const, price: 0.5, priority: 0, conditions: [] },
    {
      action: 'increase' as const,
      price: 7,
      priority: 2,
      conditions: [
        { tag: 'type' as const, value: 'sms' },
        { tag: 'mccmnc' as const, value: ['25001', '25002'] },
      ],
    },
    {
      action: 'increase' as const,
      price: 8,
      priority: 0,
      conditions: [{ tag: 'type' as const, value: 'viber' }],
    },
  ];
  const rows = [
    row('sms', '25001', 2, '2026-12-01'),
    row('sms', '25001', 3, '2027-02-01'),
    row('sms', '25003', 4, '2027-01-01'),
    row('sms', '25003', 6, '2026-01-01'),
  ];
  const versions = applyPriceList(before, rows, TODAY);
  expect(versions.map(({ from }) => from)).toEqual([null, '2027-02-01']);
  const [now, later] = versions as [(typeof versions)[number], (typeof versions)[number]];
  expect([priceOf(now.rules, '25001'), priceOf(now.rules, '25003')]).toEqual([1.5, 3.5]);
  expect([priceOf(later.rules, '25001'), priceOf(later.rules, '25003')]).toEqual([2.5, 3.5]);
  expect(priceOf(now.rules, '25002')).toBeNull();
  expect(priceOf(now.rules, '25001', undefined, 'the code')).toBe(0.5);
  expect(now.rules).toContainEqual(before[3]);
  expect(priceChanges(before, now.rules)).toEqual([
    { type: 'sms', target: '25001', before: 7, after: 2 },
    { type: 'sms', target: '25002', before: 7, after: null },
    { type: 'sms', target: '25003', before: null, after: 4 },
  ]);
  expect(priceChanges(now.rules, now.rules)).toEqual([]);
});

test('a list with prices per second replaces those of calls, and one without them leaves them', () => {
  const byLength = { first: 60, interval: 1 };
  const type = (value: string) => [{ tag: 'type' as const, value }];
  const voice = {
    action: 'increase' as const,
    price: [1, 0.1],
    priority: 0,
    conditions: type('voice'),
  };
  const sms = { ...voice, price: 3, conditions: type('sms') };
  const call = (perSecond: number | null, of?: typeof byLength): ListedPrice => ({
    ...row('voice', null, 1),
    perSecond: perSecond === null ? null : parseMoney(perSecond),
    ...(of && { byLength: of }),
  });
  const rulesOf = (...rows: ListedPrice[]) => applyPriceList([voice, sms], rows, TODAY)[0]!.rules;
  expect(rulesOf(call(null))).toContainEqual(voice);
  const listed = rulesOf(call(0.1, byLength));
  expect(listed).toEqual([sms, { ...voice, byLength }]);
  expect(priceChanges([voice, sms], listed)).toEqual([
    {
      type: 'voice',
      target: null,
      before: 1,
      after: 1,
      call: { before: { perSecond: 0.1 }, after: { perSecond: 0.1, byLength } },
    },
  ]);
  expect(priceChanges(listed, listed)).toEqual([]);
  // Other intervals are another rule.
  const networks = ['25001', '25002', '25003'].map((code, i) => ({
    ...call(0.1, { first: i < 2 ? 60 : 6, interval: 1 }),
    target: { tag: 'mccmnc' as const, value: code },
  }));
  expect(applyPriceList([], networks, TODAY)[0]!.rules).toHaveLength(2);
});

test('a second row for the same thing and day is repeated, another day is not', () => {
  const rows = [
    row('sms', '25001', 2),
    row('sms', '25001', 3),
    row('sms', '25001', 4, '2027-02-01'),
  ];
  expect([...repeatedRows(rows)]).toEqual([rows[1]]);
});

test.each([
  ['7916', '+7916'],
  ['+7 (916)', '+7916'],
  ['1-473', '+1473'],
  ['44\u00a01481', '+441481'],
  ['0044', '+44'],
  ['00 44', '+44'],
  ['7916.0', '+7916'],
])('the prefix %s is %s', (cell, prefix) => {
  expect(numberPrefix(cell)).toBe(prefix);
});

test.each([
  '7900-7909',
  '7900 - 7909',
  '44-45',
  '7-9',
  '79 80',
  '1-473-473',
  '7900/7901',
  '7900,7901',
  '7900;7901',
  '79\n80',
  '8 10 44',
  '0',
  '00',
  '044',
  '7x',
  '+',
  '()',
  '1.5',
  '1234567890123456',
  '9'.repeat(10_000),
])('%j is no prefix', (cell) => {
  expect(numberPrefix(cell)).toBeNull();
});

test('codes of networks are read as spreadsheets write them, and not across lines', () => {
  const codes = ['250-01', '250 01', '250/01', '25001.0', ' 25001 '];
  expect(codes.map(networkCode)).toEqual(codes.map(() => '25001'));
  expect(networkCode('250\n01')).toBe('250\n01');
});
