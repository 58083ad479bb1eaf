import { compileRule, digitsUsed, isForType } from './pricing-conditions.ts';
import type { CompiledRule } from './pricing-conditions.ts';
import type { Money } from './money.ts';
import { multiplyMoney, addMoney } from './money.ts';
import { segmentsOf } from './segments.ts';
import type { CallIntervals, PriceQuery, Tariff, TariffTag } from './tariff.ts';
import type { SendingType } from './types.ts';
import type { VolumeStep } from './volume-steps.ts';

export interface Price {
  /** Before volume steps. */
  price: readonly Money[];
  /** The `increase` rule that set the price, then the applied `decrease` rules, in order of evaluation. */
  ruleIds: readonly string[];
  /** The first is the tariff that set the price. */
  tariffIds: readonly string[];
  /** Of the tariff that set the price. */
  version?: number;
  /** Of the tariff that set the price; absent if it has none. */
  steps?: readonly VolumeStep[];
  /** What no step makes less. */
  floor?: readonly Money[];
  /** Calls are charged by their length. */
  byLength?: CallIntervals;
}

export interface PriceBook {
  /** The price of one unit (segment, call and second, message); null (`no_price`) if no `increase` rule matches. */
  price(query: PriceQuery): Price | null;
  /** Whether prices of this type and sender can depend on the contact lists of the recipient. */
  dependsOnLists(type: SendingType, sender: string): boolean;
  /** See the function `hasPerSecondPrice`. */
  hasPerSecondPrice: boolean;
  /** Whether prices can depend on the units of the month. */
  hasSteps: boolean;
  /** What the conditions of the rules look at that can apply to messages of a type, sender and network. */
  tagsFor(message: Pick<PriceQuery, 'type' | 'sender' | 'mccmnc'>): ReadonlySet<TariffTag>;
  /** What all conditions look at. */
  tags: ReadonlySet<TariffTag>;
  /** See the function `digitsUsed`: messages whose phones begin with the same digits have the same price. */
  digits: number;
}

/** The rules that apply to one type and sender, with a cache of their prices. */
interface RuleBucket {
  rules: CompiledRule[];
  /** False if a rule depends on the text or the phone: then every price is computed. */
  cacheable: boolean;
  usesLists: boolean;
  prices: Map<string, Price | null>;
}

// Customers choose senders: without a limit, a long-lived price book would grow without bound.
const MAX_BUCKETS = 1000;
const MAX_CACHED_PRICES = 10_000;

/**
 * Compiles the tariffs of one user into a price book. Rules are evaluated by tariff priority, rule priority and id, all
 * descending. The first matching `increase` sets the price; every matching `decrease` is subtracted from it, down to zero. A
 * `decrease` with one number applies to the first element of the price, a list applies element by element. Reuse the book for
 * all messages of a bulk: it indexes rules by type and sender and caches prices by operator. Source: the specification,
 * section 5. Throws RangeError for an unknown condition tag or a malformed price.
 *
 * `compileTariffs([{ id: 't', priority: 0, rules: [{ id: 'r', action: 'increase', price: 3.2,
 * conditions: [{ tag: 'mccmnc', value: '25001' }], priority: 0 }] }])` prices 25001 at [32000n].
 */
export function compileTariffs(tariffs: readonly Tariff[]): PriceBook {
  const rules = tariffs
    .flatMap((tariff) => tariff.rules.map((rule) => compileRule(tariff, rule)))
    .sort(byPrecedence);
  const buckets = new Map<string, RuleBucket>();
  const bucketFor = (type: SendingType, sender: string): RuleBucket => {
    const key = `${type}\n${sender}`;
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) buckets.clear();
      bucket = createBucket(rules, type, sender);
      buckets.set(key, bucket);
    }
    return bucket;
  };
  return {
    price: (query) => priceFrom(bucketFor(query.type, query.sender), query),
    dependsOnLists: (type, sender) => bucketFor(type, sender).usesLists,
    hasPerSecondPrice: hasPerSecondPrice(tariffs),
    hasSteps: tariffs.some(({ steps }) => steps?.length),
    tagsFor: ({ type, sender, mccmnc }) =>
      tagsOf(bucketFor(type, sender).rules.filter((rule) => rule.isForNetwork(mccmnc))),
    tags: tagsOf(rules),
    digits: digitsUsed(tariffs.flatMap((tariff) => tariff.rules)),
  };
}

const tagsOf = (rules: CompiledRule[]): Set<TariffTag> =>
  new Set(rules.flatMap(({ tags }) => [...tags]));

/**
 * A book in which prices of these tariffs are at least those of another book: element by element, so that no number of units makes them
 * less. Calls are charged by their length where they are there, and by the same intervals. What has no price there has none here. `withFloor(bookOfCustomer, bookOfReseller, ['t'])`
 */
export function withFloor(
  book: PriceBook,
  floor: PriceBook,
  tariffIds: ReadonlySet<string>,
): PriceBook {
  return {
    price(query) {
      const found = book.price(query);
      if (!found?.tariffIds.some((id) => tariffIds.has(id))) return found;
      const least = floor.price(query);
      if (!least) return null;
      const { byLength: _, ...other } = found;
      return {
        ...other,
        price: highest(found.price, least.price),
        floor: least.price,
        ...(least.byLength && { byLength: least.byLength }),
      };
    },
    dependsOnLists: (type, sender) =>
      book.dependsOnLists(type, sender) || floor.dependsOnLists(type, sender),
    hasPerSecondPrice: book.hasPerSecondPrice || floor.hasPerSecondPrice,
    hasSteps: book.hasSteps,
    tagsFor: (message) => new Set([...book.tagsFor(message), ...floor.tagsFor(message)]),
    tags: new Set([...book.tags, ...floor.tags]),
    digits: Math.max(book.digits, floor.digits),
  };
}

const highest = (a: readonly Money[], b: readonly Money[]): Money[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => {
    const [one, other] = [a[i] ?? 0n, b[i] ?? 0n];
    return one > other ? one : other;
  });

/** A price that a message of a type can have, before sender, phone and text are known. */
export interface PossiblePrice {
  /** In the currency of the account: `[per message]`, for calls `[per call, per second]`. */
  price: readonly number[];
  /** Whether the tariff or the rule is limited to this type. */
  isTypeSpecific: boolean;
}

/** The prices of all `increase` rules that can apply to a type, in the order of the tariffs. */
export function possiblePrices(
  tariffs: readonly Pick<Tariff, 'source' | 'rules'>[],
  type: SendingType,
): PossiblePrice[] {
  return tariffs.flatMap((tariff) =>
    tariff.rules
      .filter((rule) => rule.action === 'increase' && isForType(tariff, rule, type))
      .map(({ price, conditions }) => ({
        price: typeof price === 'number' ? [price] : price,
        isTypeSpecific: tariff.source === type || conditions.some(({ tag }) => tag === 'type'),
      })),
  );
}

/** Whether a rule has a price above 0 per second of a call. Calls with recordings require one. Source: the specification, section 5. */
export function hasPerSecondPrice(tariffs: readonly Pick<Tariff, 'source' | 'rules'>[]): boolean {
  return possiblePrices(tariffs, 'voice').some(({ price }) => (price[1] ?? 0) > 0);
}

function byPrecedence(a: CompiledRule, b: CompiledRule): number {
  if (a.tariffPriority !== b.tariffPriority) return b.tariffPriority - a.tariffPriority;
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

function createBucket(rules: CompiledRule[], type: SendingType, sender: string): RuleBucket {
  const applicable = rules.filter((rule) => rule.appliesTo(type, sender));
  return {
    rules: applicable,
    cacheable: !applicable.some((rule) => rule.usesMessage),
    usesLists: applicable.some((rule) => rule.usesAudience),
    prices: new Map(),
  };
}

function priceFrom(bucket: RuleBucket, query: PriceQuery): Price | null {
  if (!bucket.cacheable) return applyRules(bucket.rules, query);
  const key = bucket.usesLists
    ? JSON.stringify([query.mccmnc, query.group, query.contactLists])
    : (query.mccmnc ?? '');
  let price = bucket.prices.get(key);
  if (price === undefined) {
    if (bucket.prices.size >= MAX_CACHED_PRICES) bucket.prices.clear();
    price = applyRules(bucket.rules, query);
    bucket.prices.set(key, price);
  }
  return price;
}

function applyRules(rules: CompiledRule[], query: PriceQuery): Price | null {
  let base: CompiledRule | null = null;
  const discounts: CompiledRule[] = [];
  for (const rule of rules) {
    if (rule.action === 'increase' && base !== null) continue;
    if (!rule.matches(query)) continue;
    if (rule.action === 'increase') base = rule;
    else discounts.push(rule);
  }
  if (base === null) return null;
  const price = base.price.map((amount, i) => {
    const left = discounts.reduce((sum, rule) => sum - (rule.price[i] ?? 0n), amount);
    return left < 0n ? 0n : left;
  });
  const used = [base, ...discounts];
  return {
    price,
    ruleIds: used.map((rule) => rule.id),
    tariffIds: [...new Set(used.map((rule) => rule.tariffId))],
    version: base.version,
    ...(base.steps?.length && { steps: base.steps }),
    ...(base.byLength && { byLength: base.byLength }),
  };
}

const BILLED_BY_SEGMENT: readonly SendingType[] = ['sms', 'smsping', 'mms'];

/** Whether a type is billed by segments. */
export const isBilledBySegment = (type: SendingType): boolean => BILLED_BY_SEGMENT.includes(type);

/** The number of segments of a text; an e-mail always has one. `segmentsForType('sms', 'a'.repeat(161))` is 2. */
export function segmentsForType(type: SendingType, text: string): number {
  return type === 'email' ? 1 : segmentsOf(text);
}

/**
 * The number of billed units: segments for sms, smsping and mms, started seconds of audio for voice, otherwise 1.
 * `multiplierOf('sms', 2)` is 2.
 */
export function multiplierOf(type: SendingType, segments: number, audioSeconds = 0): number {
  if (isBilledBySegment(type)) return segments;
  return type === 'voice' ? Math.ceil(audioSeconds) : 1;
}

/**
 * The amount of a message: `amountOf([32000n], 2, 'sms')` is 64000n. For voice, the first element is the price per call and
 * the second the price per second; other types use the first element only.
 */
export function amountOf(price: readonly Money[], multiplier: number, type: SendingType): Money {
  const first = price[0] ?? 0n;
  if (type !== 'voice') return multiplyMoney(first, multiplier);
  return addMoney(first, multiplyMoney(price[1] ?? 0n, multiplier));
}
