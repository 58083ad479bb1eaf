import type { Tariff } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { billedBy, lowestOf, priceFrom } from './use-prices.ts';

describe('prices', () => {
  const rule = (price: number | number[], over: object = {}) => ({
    id: 'r',
    action: 'increase' as const,
    price,
    conditions: [] as { tag: 'type' | 'mccmnc'; value: string }[],
    priority: 0,
    ...over,
  });
  const tariff = (source: string, finalRules: ReturnType<typeof rule>[]) =>
    ({
      usersTariffs: [{ id: 't', title: 'T', source, priority: 0, finalRules }],
    }) as unknown as Tariff;
  const ofType = (value: string) => ({ conditions: [{ tag: 'type' as const, value }] });

  it('are the lowest of the rules for a type', () => {
    const all = billedBy([
      tariff('sms', [rule(3.2), rule(2.6, { conditions: [{ tag: 'mccmnc', value: '25002' }] })]),
      tariff('base', [rule(1.9, ofType('viber')), rule([0.6, 0.09], ofType('voice'))]),
      tariff('sms', [rule(0.1, { action: 'decrease' })]),
    ]);
    expect(priceFrom(all, 'sms')).toEqual([2.6]);
    expect(priceFrom(all, 'viber')).toEqual([1.9]);
    expect(priceFrom(all, 'voice')).toEqual([0.6, 0.09]);
    expect(priceFrom(all, 'vk')).toBeNull();
  });

  it('of one message are nothing where a month is paid, and unknown for calls', () => {
    const all = billedBy([
      tariff('base', [
        rule(1990, ofType('wapi')),
        rule(1.9, ofType('viber')),
        rule([0.6, 0.09], ofType('voice')),
      ]),
    ]);
    expect(priceFrom(all, 'wapi')).toEqual([1990]);
    expect(lowestOf(all, 'wapi')).toBe(0);
    expect(lowestOf(all, 'viber')).toBe(1.9);
    expect(lowestOf(all, 'voice')).toBeNull();
    expect(lowestOf(all, 'vk')).toBeNull();
  });

  it('are not said to be none where rules for any type may set them', () => {
    const all = billedBy([tariff('base', [rule(0.2), rule(1.9, ofType('viber'))])]);
    expect(priceFrom(all, 'vk')).toEqual([]);
    expect(priceFrom(all, 'viber')).toEqual([1.9]);
  });
});
