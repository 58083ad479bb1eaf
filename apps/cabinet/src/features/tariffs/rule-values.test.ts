import { expect, test } from 'vitest';
import type { Rule } from './catalogue.api.ts';
import { changesBetween } from './rule-changes.ts';
import { bodyOf, valuesOf } from './rule-values.ts';

const rule = (change: Partial<Rule> = {}): Rule => ({
  action: 'increase',
  price: 2,
  conditions: [{ tag: 'type', value: 'sms' }],
  priority: 3,
  ...change,
});

test.each<[string, Rule, string]>([
  ['one price', rule(), 'any'],
  ['a call', rule({ price: [1, 0.05], conditions: [{ tag: 'type', value: 'voice' }] }), 'any'],
  [
    'a call by its length',
    rule({
      price: [1, 0.05],
      conditions: [{ tag: 'type', value: 'voice' }],
      byLength: { first: 60, interval: 1 },
    }),
    'any',
  ],
  ['a tariff of calls', rule({ price: [1, 0.05], conditions: [] }), 'voice'],
  ['all channels', rule({ price: [1, 0.05], conditions: [] }), 'any'],
  ['several values', rule({ conditions: [{ tag: 'mccmnc', value: ['25001', '401*'] }] }), 'sms'],
  ['a discount', rule({ action: 'decrease', priority: -1 }), 'any'],
])('a rule that is opened and saved is the same: %s', (_, one, source) => {
  expect(bodyOf(valuesOf(one), source)).toEqual(one);
});

test('a price per second goes with the channel that has one', () => {
  const call = rule({ price: [1, 0.05], conditions: [{ tag: 'type', value: 'voice' }] });
  const values = valuesOf(call);
  const sms = { ...values, conditions: [{ key: 0, tag: 'type' as const, values: ['sms'] }] };
  expect(bodyOf(sms, 'any').price).toBe(1);
  expect(bodyOf(values, 'sms').price).toBe(1);
});

test('intervals go with the price per second of a call, and are sent if one is given', () => {
  const call = rule({ price: [1, 0.05], conditions: [], byLength: { first: 60, interval: 1 } });
  const values = valuesOf(call);
  expect(bodyOf({ ...values, perSecond: null }, 'any')).not.toHaveProperty('byLength');
  expect(bodyOf({ ...values, action: 'decrease' }, 'any')).not.toHaveProperty('byLength');
  expect(bodyOf(values, 'sms')).not.toHaveProperty('byLength');
  expect(bodyOf({ ...values, interval: null }, 'any').byLength).toEqual({
    first: 60,
    interval: null,
  });
  expect(bodyOf({ ...values, first: null, interval: null }, 'any')).not.toHaveProperty('byLength');
  const others = { ...call, byLength: { first: 60, interval: 6 } };
  expect(changesBetween([call], [others])).toHaveLength(2);
});

test('changes are rules that one version has more often than the other', () => {
  const [a, b, c] = [rule({ price: 1 }), rule({ price: 2 }), rule({ price: 3 })] as const;
  const same = { ...a, price: [1] };
  expect(changesBetween([a, b, b], [same, b, c])).toEqual([
    { kind: 'added', rule: c },
    { kind: 'removed', rule: b },
  ]);
  expect(changesBetween([a], [a])).toEqual([]);
});
