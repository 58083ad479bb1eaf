import { isCountry } from './countries.ts';
import { isBilledBySegment } from './pricing.ts';
import type { CallIntervals } from './tariff.ts';
import type { SendingType } from './types.ts';

/** A purchase price, or what messages cost: an integer number of 1/1,000,000 of the currency unit, as carriers quote fractions of a cent. */
export type Cost = bigint;

/** The first price that is refused. */
const COST_LIMIT = 1_000_000n * 1_000_000n;
const COST_DECIMALS = 6;
const MAX_COST_LENGTH = 40;

/**
 * What a price of a carrier holds for: `25001` is a network, `+7916` the numbers that begin so, `250*` all networks of a mobile country
 * code, `RU` a country, `*` all others.
 */
export interface PurchasePrice {
  type: SendingType;
  destination: string;
  /** Of a segment of sms, smsping and mms; of a message or a call otherwise; of a minute of calls that are billed by their length. */
  price: Cost;
  /** Of calls alone. */
  byLength?: CallIntervals;
}

/** Prices of a carrier, in force until a later list of the same channel begins. */
export interface PriceList {
  id: string;
  currency: string;
  validFrom: Date;
  prices: readonly PurchasePrice[];
}

/** Where a message goes. What is not known meets only the prices of less. */
export interface Destination {
  phone?: string | null;
  mccmnc?: string | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
}

export interface FoundPrice {
  price: Cost;
  byLength?: CallIntervals;
  currency: string;
  listId: string;
  /** The destination of the price that was taken. */
  destination: string;
}

export interface PurchaseBook {
  /** The price of one unit at a time; null if no list is in force, or it has no price for this. */
  price(type: SendingType, to: Destination, at: Date): FoundPrice | null;
}

/** The longest prefix of a number that can have a price, the digits of E.164. */
const MAX_PREFIX = 15;
const NETWORK = /^\d{5,6}$/;
const CODE = /^\d{3}\*$/;
const PREFIX = /^\+\d{1,15}$/;

/** Whether a price can hold for it: `isPurchaseDestination('250*')` is true. */
export const isPurchaseDestination = (value: string): boolean =>
  value === '*' || [NETWORK, CODE, PREFIX].some((form) => form.test(value)) || isCountry(value);

/** Finds prices in the lists of one channel. The narrowest destination decides: the network, the longest prefix, the country code, the country, all others. */
export function compilePurchasePrices(lists: readonly PriceList[]): PurchaseBook {
  const compiled = lists
    .map((list) => ({ list, prices: pricesOf(list), from: list.validFrom.getTime() }))
    .sort((a, b) => b.from - a.from || (a.list.id < b.list.id ? 1 : -1));
  return {
    price(type, to, at) {
      const inForce = compiled.find(({ from }) => from <= at.getTime());
      const prices = inForce?.prices.get(type);
      if (!inForce || !prices) return null;
      for (const destination of destinationsOf(to)) {
        const found = prices.get(destination);
        if (!found) continue;
        const { id: listId, currency } = inForce.list;
        const { price, byLength } = found;
        return { price, currency, listId, destination, ...(byLength && { byLength }) };
      }
      return null;
    },
  };
}

function pricesOf({ prices }: PriceList): Map<SendingType, Map<string, PurchasePrice>> {
  const byType = new Map<SendingType, Map<string, PurchasePrice>>();
  for (const price of prices) {
    let own = byType.get(price.type);
    if (!own) byType.set(price.type, (own = new Map<string, PurchasePrice>()));
    own.set(price.destination, price);
  }
  return byType;
}

/** All that a price could name, the narrowest first. */
function* destinationsOf({ phone, mccmnc, country }: Destination): Generator<string> {
  if (mccmnc) yield mccmnc;
  if (phone?.startsWith('+'))
    for (let n = Math.min(phone.length, MAX_PREFIX + 1); n > 1; n--) yield phone.slice(0, n);
  if (mccmnc) yield `${mccmnc.slice(0, 3)}*`;
  if (country) yield country;
  yield '*';
}

/** Seconds that the price of calls which are billed by their length is for. Carriers quote minutes. */
export const SECONDS_OF_PRICE = 60;

/** The units that carriers bill: segments, or one message. The seconds of calls that are billed by their length are `secondsOfCall`. */
export const purchasedUnits = (type: SendingType, segments: number): number =>
  isBilledBySegment(type) ? segments : 1;

/** Parses a price of a database row, of JSON or of a file; null if it is none, is negative, or has more than six decimals. `parseCost('0,0485')` is 48500n. */
export function parseCost(given: number | string): Cost | null {
  const text = typeof given === 'number' ? plainNumber(given) : given.trim();
  if (text.length > MAX_COST_LENGTH) return null;
  const [, whole, , decimals = ''] = /^(\d+)([.,](\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const significant = decimals.slice(0, COST_DECIMALS);
  if (/[1-9]/.test(decimals.slice(COST_DECIMALS))) return null;
  const cost = BigInt(whole + significant.padEnd(COST_DECIMALS, '0'));
  return cost < COST_LIMIT ? cost : null;
}

/** Without an exponent, which small numbers have: 1e-6 is `0.000001`. Those with more decimals stay what they are, and are refused. */
const plainNumber = (given: number): string => {
  const fixed = given.toFixed(COST_DECIMALS);
  return Number(fixed) === given ? fixed : String(given);
};

/** For a `numeric(18,6)` column: `formatCost(48500n)` is `0.048500`. */
export function formatCost(cost: Cost): string {
  const digits = (cost < 0n ? -cost : cost).toString().padStart(COST_DECIMALS + 1, '0');
  return `${cost < 0n ? '-' : ''}${digits.slice(0, -COST_DECIMALS)}.${digits.slice(-COST_DECIMALS)}`;
}

/** For JSON; exact up to 15 digits. */
export const costToNumber = (cost: Cost): number => Number(formatCost(cost));
