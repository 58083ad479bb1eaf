import { compileRule, isForType } from './pricing-conditions.ts';
import type { CompiledRule } from './pricing-conditions.ts';
import type { Money } from './money.ts';
import { multiplyMoney, addMoney } from './money.ts';
import { segmentsOf } from './segments.ts';
import type { PriceQuery, Tariff } from './tariff.ts';
import type { SendingType } from './types.ts';

export interface Price {
  price: readonly Money[];
  /** The increase that set the price, then the decreases taken off, in the order of the rules. */
  ruleIds: readonly string[];
  tariffIds: readonly string[];
}

export interface PriceBook {
  /** The price of one unit (segment, call and second, message), or null: `no_price`. */
  price(query: PriceQuery): Price | null;
  /** Whether a price of this type and sender may depend on the contact list that the recipient is in. */
  dependsOnLists(type: SendingType, sender: string): boolean;
  /** See `hasPerSecondPrice`. */
  hasPerSecondPrice: boolean;
}

/** Rules that stand for one type and sender, and the prices they already gave. */
interface Shelf {
  rules: CompiledRule[];
  /** False when a rule looks at the text or the phone: then every message is priced anew. */
  cacheable: boolean;
  usesLists: boolean;
  prices: Map<string, Price | null>;
}

// A sender is chosen by the customer: without a bound a long-lived book would grow for ever.
const MAX_SHELVES = 1000;
const MAX_PRICES = 10_000;

/**
 * Makes the tariffs of one user ready for pricing. Rules go by tariff priority, rule priority and
 * id, descending: the first matching `increase` is the price and every matching `decrease` is taken
 * off it, not below zero. A decrease of one number comes off the first element of a list, a list
 * comes off element by element. Keep the book for a bulk: rules are filtered by type and sender once
 * and prices remembered by operator. Throws RangeError on an unknown tag or a malformed price.
 *
 * `compileTariffs([{ id: 't', priority: 0, rules: [{ id: 'r', action: 'increase', price: 3.2,
 * conditions: [{ tag: 'mccmnc', value: '25001' }], priority: 0 }] }])` prices 25001 at [32000n].
 */
export function compileTariffs(tariffs: readonly Tariff[]): PriceBook {
  const rules = tariffs
    .flatMap((tariff) => tariff.rules.map((rule) => compileRule(tariff, rule)))
    .sort(byPrecedence);
  const shelves = new Map<string, Shelf>();
  const shelfOf = (type: SendingType, sender: string): Shelf => {
    const key = `${type}\n${sender}`;
    let shelf = shelves.get(key);
    if (shelf === undefined) {
      if (shelves.size >= MAX_SHELVES) shelves.clear();
      shelf = fillShelf(rules, type, sender);
      shelves.set(key, shelf);
    }
    return shelf;
  };
  return {
    price: (query) => priceFrom(shelfOf(query.type, query.sender), query),
    dependsOnLists: (type, sender) => shelfOf(type, sender).usesLists,
    hasPerSecondPrice: hasPerSecondPrice(tariffs),
  };
}

/** What the price of a message of a type can be, before a sender, a phone or a text is known. */
export interface PossiblePrice {
  /** In the currency: `[per message]`, of a call `[per call, per second]`. */
  price: readonly number[];
  /** The tariff or the rule is for this type, and not for any. */
  isTypeSpecific: boolean;
}

/** The prices of all rules that can set the one of a type, in the order of the tariffs. */
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

/** Recordings are played in calls only where some rule prices a second of a call above 0. Specification, section 5. */
export function hasPerSecondPrice(tariffs: readonly Pick<Tariff, 'source' | 'rules'>[]): boolean {
  return possiblePrices(tariffs, 'voice').some(({ price }) => (price[1] ?? 0) > 0);
}

function byPrecedence(a: CompiledRule, b: CompiledRule): number {
  if (a.tariffPriority !== b.tariffPriority) return b.tariffPriority - a.tariffPriority;
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

function fillShelf(rules: CompiledRule[], type: SendingType, sender: string): Shelf {
  const standing = rules.filter((rule) => rule.standsFor(type, sender));
  return {
    rules: standing,
    cacheable: !standing.some((rule) => rule.perMessage),
    usesLists: standing.some((rule) => rule.perAudience),
    prices: new Map(),
  };
}

function priceFrom(shelf: Shelf, query: PriceQuery): Price | null {
  if (!shelf.cacheable) return applyRules(shelf.rules, query);
  const key = shelf.usesLists
    ? JSON.stringify([query.mccmnc, query.group, query.contactLists])
    : (query.mccmnc ?? '');
  let price = shelf.prices.get(key);
  if (price === undefined) {
    if (shelf.prices.size >= MAX_PRICES) shelf.prices.clear();
    price = applyRules(shelf.rules, query);
    shelf.prices.set(key, price);
  }
  return price;
}

function applyRules(rules: CompiledRule[], query: PriceQuery): Price | null {
  let base: CompiledRule | null = null;
  const taken: CompiledRule[] = [];
  for (const rule of rules) {
    if (rule.action === 'increase' && base !== null) continue;
    if (!rule.matches(query)) continue;
    if (rule.action === 'increase') base = rule;
    else taken.push(rule);
  }
  if (base === null) return null;
  const price = base.price.map((amount, i) => {
    const left = taken.reduce((sum, rule) => sum - (rule.price[i] ?? 0n), amount);
    return left < 0n ? 0n : left;
  });
  const used = [base, ...taken];
  return {
    price,
    ruleIds: used.map((rule) => rule.id),
    tariffIds: [...new Set(used.map((rule) => rule.tariffId))],
  };
}

const IN_PARTS: readonly SendingType[] = ['sms', 'smsping', 'mms'];

/** Whether a type is counted and billed by segments. */
export const isBilledBySegment = (type: SendingType): boolean => IN_PARTS.includes(type);

/** The segments of a text; an e-mail is one, however long. `segmentsForType('sms', 'a'.repeat(161))` is 2. */
export function segmentsForType(type: SendingType, text: string): number {
  return type === 'email' ? 1 : segmentsOf(text);
}

/**
 * By how much the price of a message is multiplied: its segments for sms, smsping and mms, its
 * started seconds of audio for voice, 1 elsewhere. `multiplierOf('sms', 2)` is 2.
 */
export function multiplierOf(type: SendingType, segments: number, audioSeconds = 0): number {
  if (isBilledBySegment(type)) return segments;
  return type === 'voice' ? Math.ceil(audioSeconds) : 1;
}

/**
 * The amount of a message: `amountOf([32000n], 2, 'sms')` is 64000n. For voice the first element is
 * per call and the second per second; elsewhere the first element counts.
 */
export function amountOf(price: readonly Money[], multiplier: number, type: SendingType): Money {
  const first = price[0] ?? 0n;
  if (type !== 'voice') return multiplyMoney(first, multiplier);
  return addMoney(first, multiplyMoney(price[1] ?? 0n, multiplier));
}
