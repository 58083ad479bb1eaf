import { expect, test } from 'vitest';
import { EstimateSum, type EstimatedMessage } from './estimate-sum.ts';
import { parseMoney } from './money.ts';

const message = (changes: Partial<EstimatedMessage> = {}): EstimatedMessage => ({
  mccmnc: '25001',
  operator: 'MTS',
  multiplier: 1,
  price: [parseMoney('2.5')],
  amount: parseMoney('2.5'),
  segments: 1,
  group: 'advertising',
  ...changes,
});
const chain = { max: parseMoney('2.5'), template: undefined, waitsUntil: null };

test('nothing', () => {
  expect(new EstimateSum().scaled(1)).toEqual({
    total: 0n,
    exact: true,
    recipients: 0,
    skipped: {},
    segments: 0,
    amount: 0,
    max: 0,
    quiet: null,
    templates: [],
    operators: [],
  });
});

test('sums by operator, price and multiplier, those of most messages first', () => {
  const sum = new EstimateSum();
  sum.add(message({ mccmnc: null, operator: null }), chain);
  const long = message({ multiplier: 2, amount: parseMoney('5'), segments: 2 });
  for (let i = 0; i < 2; i++) sum.add(message(), { ...chain, max: parseMoney('4') });
  sum.add(long, { ...chain, max: parseMoney('6.5') });
  expect(sum.scaled(1)).toMatchObject({
    recipients: 4,
    segments: 5,
    amount: 12.5,
    max: 17,
    operators: [
      {
        mccmnc: '25001',
        name: 'MTS',
        count: 3,
        amount: 10,
        max: 14.5,
        lines: [
          { count: 2, multiplier: 1, price: 2.5, amount: 5 },
          { count: 1, multiplier: 2, price: 2.5, amount: 5 },
        ],
      },
      { mccmnc: null, name: null, count: 1, amount: 2.5 },
    ],
  });
});

test('a sample is scaled, invalid recipients are all known', () => {
  const sum = new EstimateSum();
  sum.skip('invalid', 7);
  sum.skip('duplicate');
  sum.skip('duplicate');
  sum.add(message(), { ...chain, waitsUntil: new Date('2026-11-23T06:00:00Z') });
  sum.add(message(), { ...chain, waitsUntil: new Date('2026-11-23T05:00:00Z') });
  const { total, ...scaled } = sum.scaled(2.5);
  expect(total).toBe(parseMoney('12.5'));
  expect(scaled).toMatchObject({
    exact: false,
    recipients: 5,
    skipped: { invalid: 7, duplicate: 5 },
    amount: 12.5,
    quiet: { count: 5, until: '2026-11-23T06:00:00.000Z' },
  });
});

test('prices of a call and a second are two, and twenty templates are named at most', () => {
  const sum = new EstimateSum();
  const call = message({ price: [parseMoney('1'), parseMoney('0.1')] });
  for (let i = 0; i < 25; i++) sum.add(call, { ...chain, template: `t${i}` });
  for (let i = 0; i < 2; i++) sum.add(call, { ...chain, template: null });
  const { operators, templates } = sum.scaled(1);
  expect(operators[0]!.lines[0]!.price).toEqual([1, 0.1]);
  expect(templates).toHaveLength(20);
  expect(templates[0]).toEqual({ title: null, group: 'advertising', count: 2, amount: 5 });
});

test('of calls that are charged by their length the amount is what they cost at most', () => {
  const sum = new EstimateSum();
  sum.add(message(), { ...chain, max: parseMoney('4') });
  expect(sum.scaled(1)).not.toHaveProperty('byLength');
  sum.add(message({ byLength: { first: 60, interval: 1 } }), chain);
  expect(sum.scaled(1)).toMatchObject({ amount: 5, max: 6.5, byLength: true });
});
