import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMoney, type Money } from './money.ts';
import { amountOf, compileTariffs, withFloor } from './pricing.ts';
import type { PriceQuery, Tariff, TariffCondition, TariffRule, TariffTag } from './tariff.ts';
import { priceAfterStep, volumeStep, type VolumeStep } from './volume-steps.ts';

const TYPES = ['sms', 'viber', 'voice', 'telegram'] as const;
const SENDERS = ['MIRTEA', 'BEACON', 'mirtea'];
const WORDS = ['code', 'sale', 'чай', 'Ёлка', '50', 'tea', 'teapot'];
const NETWORKS = ['25001', '25002', '25020', '40101', '40177', '26201'];
const PHONES = ['+79161234567', '+79261234567', '+77011234567', '+4915112345678'];
const LISTS = ['list-a', 'list-b', 'list-c'];
const GROUPS = ['service', 'transactional', 'advertising'];

const some = (values: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
  );
const VALUES: Record<TariffTag, readonly string[]> = {
  type: TYPES,
  sender: SENDERS,
  text: ['co', 'ЧАЙ', 'Sale', 'ёл', '0'],
  keywords: WORDS,
  recipient: ['+7', '+7916', '+77', '+49', '+4915'],
  contactList: LISTS,
  group: GROUPS,
  mccmnc: [...NETWORKS, '250*', '401*'],
};
const TAGS = Object.keys(VALUES) as TariffTag[];
const conditions = fc
  .uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 })
  .chain((tags) =>
    fc.tuple(...tags.map((tag) => some(VALUES[tag]).map((value) => ({ tag, value })))),
  );
const price = fc.integer({ min: 0, max: 50_000 }).map((units) => units / 10_000);
const rule = (id: string): fc.Arbitrary<TariffRule> =>
  fc.record({
    id: fc.constant(id),
    action: fc.constantFrom('increase' as const, 'increase' as const, 'decrease' as const),
    price: fc.oneof(price, fc.tuple(price, price), fc.tuple(price)),
    conditions,
    priority: fc.integer({ min: -1, max: 2 }),
  });
/** Rising, often none. */
const steps: fc.Arbitrary<VolumeStep[]> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 3 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 3, maxLength: 3 }),
  )
  .map(([froms, percents]) => {
    const rising = (values: number[]) => values.toSorted((a, b) => a - b);
    const off = rising(percents);
    return rising(froms).map((from, i) => ({ from, percent: off[i]! / 100 }));
  });
const tariff = (id: string): fc.Arbitrary<Tariff> =>
  fc.record({
    steps,
    id: fc.constant(id),
    source: fc.constantFrom(null, null, 'sms'),
    priority: fc.integer({ min: 0, max: 1 }),
    version: fc.integer({ min: 1, max: 9 }),
    rules: fc
      .integer({ min: 0, max: 5 })
      .chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, i) => rule(`${id}-${(i * 7) % 5}`))),
      ),
  });
const message: fc.Arbitrary<PriceQuery> = fc.record({
  type: fc.constantFrom(...TYPES),
  sender: fc.constantFrom(...SENDERS),
  phone: fc.constantFrom(...PHONES),
  text: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  mccmnc: fc.constantFrom(null, '401', ...NETWORKS),
  contactLists: fc.subarray(LISTS),
  group: fc.constantFrom(null, ...GROUPS),
});

/** The specification word for word: every rule is tried by itself, and nothing is indexed or kept. */
function expected(tariffs: Tariff[], query: PriceQuery) {
  const rules = tariffs
    .filter(({ source }) => source === null || source === query.type)
    .flatMap((tariff) => tariff.rules.map((rule) => ({ tariff, rule })))
    .sort(
      (a, b) =>
        b.tariff.priority - a.tariff.priority ||
        b.rule.priority - a.rule.priority ||
        (a.rule.id < b.rule.id ? 1 : -1),
    )
    .filter(({ rule }) => rule.conditions.every((condition) => isMet(condition, query)));
  const base = rules.find(({ rule }) => rule.action === 'increase');
  if (!base) return null;
  const discounts = rules.filter(({ rule }) => rule.action === 'decrease');
  const priced = [base.rule.price].flat().map((amount, i) => {
    const left = discounts.reduce(
      (sum, { rule }) => sum - parseMoney([rule.price].flat()[i] ?? 0),
      parseMoney(amount),
    );
    return left > 0n ? left : (0n as Money);
  });
  const used = [base, ...discounts];
  return {
    price: priced,
    ruleIds: used.map(({ rule }) => rule.id),
    version: base.tariff.version,
    steps: base.tariff.steps,
  };
}

function isMet({ tag, value }: TariffCondition, query: PriceQuery): boolean {
  const words = query.text.toLowerCase().split(' ');
  return [value].flat().some((one: string) => {
    if (tag === 'type') return one === query.type;
    if (tag === 'sender') return one === query.sender;
    if (tag === 'text') return query.text.toLowerCase().includes(one.toLowerCase());
    if (tag === 'keywords') return words.includes(one.toLowerCase());
    if (tag === 'recipient') return query.phone.startsWith(one);
    if (tag === 'contactList') return query.contactLists.includes(one);
    if (tag === 'group') return one === query.group;
    return one.endsWith('*') ? !!query.mccmnc?.startsWith(one.slice(0, 3)) : one === query.mccmnc;
  });
}

test('a compiled price book prices as the rules say, one by one, in 10,000 random cases', () => {
  let priced = 0;
  fc.assert(
    fc.property(
      fc.tuple(tariff('a'), tariff('b'), tariff('c')),
      fc.array(message, { minLength: 4, maxLength: 4 }),
      (tariffs, messages) => {
        // One book for all: what it keeps of one message must not price another.
        const book = compileTariffs(tariffs);
        for (const query of messages) {
          const found = book.price(query);
          if (found) priced += 1;
          const plain = found && {
            price: found.price,
            ruleIds: found.ruleIds,
            version: found.version,
            steps: found.steps ?? [],
          };
          expect(plain).toEqual(expected(tariffs, query));
        }
      },
    ),
    { numRuns: 2500, seed: 20_261_127 },
  );
  expect(priced).toBeGreaterThan(2000);
});

/** What a reseller charges, wishes to charge and pays for units of a message; null where a tariff of others prices it. */
function sold(
  ofReseller: Tariff[],
  ofCustomer: Tariff[],
  query: PriceQuery,
  { units, volume }: Record<'units' | 'volume', number>,
) {
  const cost = compileTariffs(ofReseller);
  const plain = compileTariffs(ofCustomer);
  const found = withFloor(plain, cost, new Set(['own'])).price(query);
  const [wished, least] = [plain.price(query), cost.price(query)];
  /** The reseller's own steps are none that it surely has. */
  const amount = (price: typeof found, at = volume) =>
    price &&
    amountOf(
      priceAfterStep(price.price, volumeStep(price.steps ?? [], at).step, price.floor),
      units,
      query.type,
    );
  return {
    isOwn: !!wished?.tariffIds.includes('own'),
    found: amount(found),
    wished: amount(wished),
    least: amount(least, 0),
    isLower: !!found?.steps && amount(found)! < amount(found, 0)!,
  };
}

test('no rules and volume steps of a reseller make less than its own price, for any number of units', () => {
  let raised = 0;
  let lower = 0;
  fc.assert(
    fc.property(
      fc.tuple(tariff('a'), tariff('b')),
      fc.tuple(tariff('own'), tariff('shared')),
      message,
      fc.record({ units: fc.integer({ min: 0, max: 60 }), volume: fc.nat(60) }),
      (ofReseller, ofCustomer, query, counts) => {
        const sale = sold(ofReseller, ofCustomer, query, counts);
        const { isOwn, found, wished, least } = sale;
        if (isOwn && sale.isLower) lower += 1;
        // Prices of others are left as they are; what the reseller cannot buy, it cannot sell.
        if (!isOwn) return found === wished;
        if (least === null) return found === null;
        if (found !== null && wished !== null && found > wished) raised += 1;
        return found !== null && wished !== null && found >= least && found >= wished;
      },
    ),
    { numRuns: 5000, seed: 20_261_128 },
  );
  expect(raised).toBeGreaterThan(20);
  expect(lower).toBeGreaterThan(20);
});

test('messages that differ only in what no rule looks at have the same price', () => {
  let without = 0;
  fc.assert(
    fc.property(
      fc.tuple(tariff('a'), tariff('b')),
      tariff('own'),
      message,
      message,
      (tariffs, cost, query, other) => {
        const book = withFloor(compileTariffs(tariffs), compileTariffs([cost]), new Set(['a']));
        const tags = book.tagsFor(query);
        const asks = (...names: TariffTag[]) => names.some((name) => tags.has(name));
        const phone = query.phone.slice(0, book.digits + 1);
        const alike: PriceQuery = {
          ...query,
          phone: asks('recipient') ? phone : other.phone,
          text: asks('text', 'keywords') ? query.text : other.text,
          contactLists: asks('contactList') ? query.contactLists : other.contactLists,
          group: asks('group') ? query.group : other.group,
        };
        if (!asks('text', 'keywords')) without += 1;
        expect([...tags].every((tag) => book.tags.has(tag))).toBe(true);
        expect(book.price(alike)).toEqual(book.price(query));
      },
    ),
    { numRuns: 5000, seed: 20_261_129 },
  );
  expect(without).toBeGreaterThan(500);
});
