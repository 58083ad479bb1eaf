import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoney } from './money.ts';
import {
  amountOf,
  compileTariffs,
  hasPerSecondPrice,
  multiplierOf,
  segmentsForType,
  possiblePrices,
} from './pricing.ts';
import type { PriceQuery, Tariff, TariffCondition, TariffRule } from './tariff.ts';

let count = 0;
function rule(
  price: number | number[],
  conditions: Partial<Record<TariffCondition['tag'], string | string[]>> = {},
  rest: Partial<TariffRule> = {},
): TariffRule {
  const list = Object.entries(conditions).map(([tag, value]) => ({ tag, value }));
  const id = `r${String(count++).padStart(3, '0')}`;
  return {
    id,
    action: 'increase',
    price,
    priority: 0,
    conditions: list as TariffCondition[],
    ...rest,
  };
}

function tariff(rules: TariffRule[], rest: Partial<Tariff> = {}): Tariff {
  return { id: 't1', priority: 0, rules, ...rest };
}

const query: PriceQuery = {
  type: 'sms',
  sender: 'DEMO',
  phone: '+79161234567',
  text: 'Ваш код: 1234. Кодекс чести',
  mccmnc: '25001',
  contactLists: ['list-a', 'list-b'],
  group: 'service',
};

function priceOf(tariffs: Tariff[], changes: Partial<PriceQuery> = {}): number[] | null {
  const found = compileTariffs(tariffs).price({ ...query, ...changes });
  return found && found.price.map((amount) => Number(amount) / 10_000);
}

describe('conditions', () => {
  it.each([
    ['mccmnc exact', { mccmnc: '25001' }, {}, true],
    ['mccmnc of another', { mccmnc: '25002' }, {}, false],
    ['mccmnc is not a prefix without the star', { mccmnc: '250' }, {}, false],
    ['mccmnc with a star', { mccmnc: '401*' }, { mccmnc: '40102' }, true],
    ['mccmnc with a star, country only', { mccmnc: '401*' }, { mccmnc: '401' }, true],
    ['mccmnc with a star elsewhere', { mccmnc: '401*' }, {}, false],
    ['any of several', { mccmnc: ['25002', '25001'] }, {}, true],
    ['mccmnc unknown', { mccmnc: '*' }, { mccmnc: null }, false],
    ['text fragment, any case', { text: 'ВАШ КОД' }, {}, true],
    ['text inside a word', { text: 'одекс' }, {}, true],
    ['text absent', { text: 'скидка' }, {}, false],
    ['an empty text matches nothing', { text: '' }, {}, false],
    ['keyword as a whole word', { keywords: 'КОД' }, {}, true],
    ['keyword before punctuation', { keywords: ['x', '1234'] }, {}, true],
    ['keyword inside a word', { keywords: 'одекс' }, {}, false],
    ['keyword as the head of a word', { keywords: 'код' }, { text: 'кодекс' }, false],
    ['keyword with regular expression characters', { keywords: 'a.b' }, { text: 'see acb' }, false],
    ['keyword with a hyphen', { keywords: 'e-mail' }, { text: 'your e-mail!' }, true],
    ['keyword with a plus', { keywords: 'c++' }, { text: 'about c++ here' }, true],
    ['sender', { sender: ['OTHER', 'DEMO'] }, {}, true],
    ['sender is case-sensitive', { sender: 'demo' }, {}, false],
    ['type', { type: 'sms' }, {}, true],
    ['type of another', { type: 'viber' }, {}, false],
    ['recipient prefix', { recipient: '+7916' }, {}, true],
    ['recipient prefix without a plus', { recipient: '7916' }, {}, true],
    ['recipient elsewhere', { recipient: '916' }, {}, false],
    ['contact list', { contactList: ['x', 'list-b'] }, {}, true],
    ['contact list of another', { contactList: 'list' }, {}, false],
    ['group', { group: 'service' }, {}, true],
    ['no group', { group: 'service' }, { group: null }, false],
    ['no values', { group: [] }, {}, false],
    ['all conditions must be met', { group: 'service', mccmnc: '25002' }, {}, false],
    ['all hold', { group: 'service', mccmnc: '25001', sender: 'DEMO', text: 'код' }, {}, true],
  ] as [string, Parameters<typeof rule>[1], Partial<PriceQuery>, boolean][])(
    '%s',
    (_, conditions, changes, holds) => {
      expect(priceOf([tariff([rule(1, conditions)])], changes)).toEqual(holds ? [1] : null);
    },
  );

  it('are refused if their tag is unknown', () => {
    const odd = rule(1);
    odd.conditions = [{ tag: 'weekday' as 'text', value: 'monday' }];
    expect(() => compileTariffs([tariff([odd])])).toThrow(RangeError);
  });
});

describe('rules', () => {
  it('are evaluated by tariff priority, rule priority and id, each descending', () => {
    const low = tariff([rule(1, {}, { priority: 99 })], { id: 'low', priority: 1 });
    const high = tariff([rule(2, {}, { priority: 1 })], { id: 'high', priority: 2 });
    expect(priceOf([low, high])).toEqual([2]);
    expect(priceOf([tariff([rule(1, {}, { priority: 1 }), rule(2, {}, { priority: 2 })])])).toEqual(
      [2],
    );
    expect(priceOf([tariff([rule(1, {}, { id: 'a' }), rule(2, {}, { id: 'b' })])])).toEqual([2]);
  });

  it('subtract every matching decrease from the first matching increase', () => {
    const rules = [
      rule(3.2, { mccmnc: '25001' }, { id: 'base', priority: 10 }),
      rule(0.2, { sender: 'DEMO' }, { id: 'less', action: 'decrease', priority: 60 }),
      rule(0.5, {}, { id: 'less too', action: 'decrease' }),
      rule(9, { sender: 'OTHER' }, { action: 'decrease' }),
      rule(1, {}, { id: 'never reached', priority: 1 }),
    ];
    expect(compileTariffs([tariff(rules)]).price(query)).toEqual({
      price: [25_000n],
      ruleIds: ['base', 'less', 'less too'],
      tariffIds: ['t1'],
    });
  });

  it('never go below zero; a decrease alone sets no price', () => {
    expect(priceOf([tariff([rule(1), rule(5, {}, { action: 'decrease' })])])).toEqual([0]);
    expect(priceOf([tariff([rule(5, {}, { action: 'decrease' })])])).toBeNull();
    expect(priceOf([])).toBeNull();
  });

  it('of a tariff with a source apply to that type only', () => {
    const viber = tariff([rule(2.1)], { source: 'viber' });
    expect(priceOf([viber])).toBeNull();
    expect(priceOf([viber], { type: 'viber' })).toEqual([2.1]);
  });

  it('decrease a list by its first element or element by element', () => {
    const base = rule([0.6, 0.09]);
    expect(priceOf([tariff([base, rule(0.1, {}, { action: 'decrease' })])])).toEqual([0.5, 0.09]);
    expect(priceOf([tariff([base, rule([0, 0.01], {}, { action: 'decrease' })])])).toEqual([
      0.6, 0.08,
    ]);
  });

  it('of the example tariff set the expected prices', () => {
    const sms = tariff(
      [
        rule(3.2, { mccmnc: ['25001'] }, { priority: 10 }),
        rule(2.6, { mccmnc: ['25002'] }, { priority: 10 }),
        rule(9.5, { mccmnc: ['401*'] }, { priority: 10 }),
        rule(1.9, { group: 'service' }, { priority: 50 }),
        rule(0.2, { sender: ['DEMO'] }, { action: 'decrease', priority: 60 }),
      ],
      { source: 'sms' },
    );
    expect(priceOf([sms])).toEqual([1.7]);
    expect(priceOf([sms], { group: null })).toEqual([3]);
    expect(priceOf([sms], { group: null, sender: 'X', mccmnc: '40107' })).toEqual([9.5]);
    expect(priceOf([sms], { group: null, mccmnc: '26201' })).toBeNull();
  });

  it('give the same price from a reused price book', () => {
    const condition = fc.oneof(
      fc.record({ tag: fc.constant('mccmnc'), value: fc.constantFrom('25001', '250*', '401*') }),
      fc.record({ tag: fc.constant('sender'), value: fc.constantFrom('A', 'B') }),
      fc.record({ tag: fc.constant('group'), value: fc.constantFrom('g', 'h') }),
      fc.record({ tag: fc.constant('contactList'), value: fc.constantFrom('l', 'm') }),
      fc.record({ tag: fc.constant('text'), value: fc.constantFrom('x', 'y') }),
    ) as fc.Arbitrary<TariffCondition>;
    const anyRule = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      action: fc.constantFrom('increase', 'decrease'),
      price: fc.integer({ min: 0, max: 90 }),
      priority: fc.integer({ min: 0, max: 3 }),
      conditions: fc.array(condition, { maxLength: 2 }),
    }) as fc.Arbitrary<TariffRule>;
    const anyQuery: fc.Arbitrary<PriceQuery> = fc.record({
      type: fc.constantFrom('sms', 'viber'),
      sender: fc.constantFrom('A', 'B'),
      phone: fc.constant('+79161234567'),
      text: fc.constantFrom('x', 'y', ''),
      mccmnc: fc.constantFrom('25001', '40102', null),
      contactLists: fc.subarray(['l', 'm']),
      group: fc.constantFrom('g', 'h', null),
    });
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), fc.array(anyQuery), (rules, queries) => {
        const book = compileTariffs([tariff(rules)]);
        for (const one of queries) {
          expect(book.price(one)).toEqual(compileTariffs([tariff(rules)]).price(one));
        }
      }),
    );
  });
});

describe('amounts', () => {
  it.each([
    ['sms', 'a'.repeat(161), undefined, 2],
    ['smsping', '', undefined, 1],
    ['mms', 'Я'.repeat(71), undefined, 2],
    ['viber', 'a'.repeat(1000), undefined, 1],
    ['voice', 'a'.repeat(1000), 12.2, 13],
    ['voice', '', undefined, 0],
  ] as const)('%s is multiplied by its units: %#', (type, text, seconds, expected) => {
    expect(multiplierOf(type, segmentsForType(type, text), seconds)).toBe(expected);
  });

  it.each([
    [[3.2], 2, 'sms', 6.4],
    [[0.6, 0.09], 13, 'voice', 1.77],
    [[0.6], 13, 'voice', 0.6],
    [[7.5, 1.6, 1.2], 1, 'whatsapp', 7.5],
    [[], 1, 'sms', 0],
  ] as const)('%j times %d for %s is %d', (price, multiplier, type, expected) => {
    expect(amountOf(price.map(parseMoney), multiplier, type)).toBe(parseMoney(expected));
  });
});

describe('possiblePrices', () => {
  it('returns the prices of rules for the type and for all types', () => {
    const all = [
      tariff([rule(3.2), rule(1, { type: 'viber' }), rule(9, {}, { action: 'decrease' })], {
        source: 'sms',
      }),
      tariff([rule(0.2), rule([0.6, 0.09], { type: ['voice'], mccmnc: '401*' })]),
    ];
    expect(possiblePrices(all, 'sms')).toEqual([
      { price: [3.2], isTypeSpecific: true },
      { price: [0.2], isTypeSpecific: false },
    ]);
    expect(possiblePrices(all, 'voice').map(({ price }) => price)).toEqual([[0.2], [0.6, 0.09]]);
    expect(possiblePrices([], 'sms')).toEqual([]);
  });

  it.each([
    ['a rule for calls', [tariff([rule([0.6, 0.09], { type: 'voice' })])], true],
    ['a tariff for calls', [tariff([rule([0, 1])], { source: 'voice' })], true],
    ['a rule for any type', [tariff([rule([0.6, 0.09])])], true],
    ['only a price per call', [tariff([rule(0.6, { type: 'voice' })])], false],
    ['a price of 0 per second', [tariff([rule([0.6, 0], { type: 'voice' })])], false],
    ['a price per second of another type', [tariff([rule([0.6, 1])], { source: 'sms' })], false],
    ['a decrease', [tariff([rule([0, 1], { type: 'voice' }, { action: 'decrease' })])], false],
    ['nothing', [], false],
  ] as [string, Tariff[], boolean][])('has a price per second: %s', (_, all, counts) => {
    expect(hasPerSecondPrice(all)).toBe(counts);
    expect(compileTariffs(all).hasPerSecondPrice).toBe(counts);
  });
});
