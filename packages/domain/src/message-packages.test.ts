import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CoveredSum, PackageUnits, type OpenPackage } from './message-packages.ts';
import { parseMoney } from './money.ts';

const one = (changes: Partial<OpenPackage> = {}): OpenPackage => ({
  id: 'a',
  types: ['sms'],
  mccmnc: [],
  left: 10,
  ...changes,
});
const message = (units = 1, mccmnc: string | null = '25001') => ({
  type: 'sms' as const,
  mccmnc,
  units,
});

test('the first package that fits and has all units is taken', () => {
  const units = new PackageUnits([one({ left: 2 }), one({ id: 'b' })]);
  expect([3, 2, 1].map((n) => units.take(message(n)))).toEqual(['b', 'a', 'b']);
  expect(units.isShort).toBe(false);
  expect(units.take(message(7))).toBeNull();
  expect(units.isShort).toBe(true);
  expect(units.take(message(6))).toBe('b');
});

test('types and networks', () => {
  const units = new PackageUnits([one({ mccmnc: ['25001', '401*'] })]);
  expect(units.take(message(1, '25001'))).toBe('a');
  expect(units.take(message(1, '40102'))).toBe('a');
  expect(units.take(message(1, '25002'))).toBeNull();
  expect(units.take(message(1, null))).toBeNull();
  expect(units.take({ ...message(), type: 'viber' })).toBeNull();
  expect(units.isShort).toBe(false);
  expect(new PackageUnits([one()]).take(message(1, null))).toBe('a');
});

test('of a sample the units count for all messages', () => {
  const messages = Array.from({ length: 10 }, () => ({ ...message(2), amount: parseMoney(5) }));
  const coveredOf = (packages: OpenPackage[], all: typeof messages, factor: number) => {
    const sum = new CoveredSum(packages, factor);
    for (const each of all) sum.add(each);
    return sum.total();
  };
  expect(coveredOf([one({ left: 20 })], messages, 1)).toEqual({
    count: 10,
    units: 20,
    amount: parseMoney(50),
  });
  expect(coveredOf([one({ left: 20 })], messages, 2.5)).toEqual({
    count: 10,
    units: 20,
    amount: parseMoney(50),
  });
  expect(coveredOf([one({ left: 100 })], messages, 2.5)).toMatchObject({ count: 25, units: 50 });
  const free = messages.map((each) => ({ ...each, amount: 0n }));
  expect(coveredOf([one()], free, 1)).toEqual({ count: 0, units: 0, amount: 0n });
});

test('never more units than there are, and each message by one package or none', () => {
  const packages = fc.array(
    fc.record({
      left: fc.nat(20),
      mccmnc: fc.constantFrom([], ['25001'], ['250*'], ['401*']),
      types: fc.constantFrom(['sms' as const], ['viber' as const, 'sms' as const]),
    }),
    { maxLength: 5 },
  );
  const messages = fc.array(
    fc.record({
      type: fc.constantFrom('sms' as const, 'viber' as const),
      mccmnc: fc.constantFrom(null, '25001', '25002', '40101'),
      units: fc.integer({ min: 1, max: 5 }),
    }),
  );
  fc.assert(
    fc.property(packages, messages, (owned, sent) => {
      const open = owned.map((each, i) => ({ ...each, id: String(i) }));
      const units = new PackageUnits(open);
      const used = new Map<string, number>();
      for (const each of sent) {
        const id = units.take(each);
        if (id) used.set(id, (used.get(id) ?? 0) + each.units);
      }
      for (const { id, left } of open) expect(used.get(id) ?? 0).toBeLessThanOrEqual(left);
    }),
  );
});
