import {
  amountOf,
  compileText,
  DEFAULT_GROUP,
  findOperator,
  formatMoney,
  multiplierOf,
  segmentsForType,
  type Money,
  type TrafficGroup,
} from '@heliograph/domain';
import type { AttemptPlan } from '../plan.ts';
import type { Pricing } from './pricing.service.ts';

/** A rendered text and its billed units. */
interface Measured {
  text: string;
  segments: number;
  multiplier: number;
}

/** One message with its price, for the estimate and for the charge. */
export interface Quote extends Measured {
  /** Null when the tariff has no price for the message. */
  amount: Money | null;
  price: readonly Money[];
  tariffId: string | null;
  mccmnc: string | null;
  operator: string | null;
  /** Traffic group of the text. */
  group: TrafficGroup;
}

/** Text to speech is billed by the length of its text, so that the price is known before the call. */
const VOICE_CHARACTERS_PER_SECOND = 14;

type Values = Record<string, string | null | undefined>;

/**
 * Renders, counts and prices one message, for estimates, charges and fallbacks alike.
 * `quote(attempt, '+79161234567', { firstName: 'Anna' }, [], pricing)`
 */
export function quote(
  attempt: AttemptPlan,
  address: string,
  values: Values,
  lists: readonly string[],
  pricing: Pricing,
): Quote {
  const { text, segments, multiplier } = measuredText(attempt, values);
  const operator = address.startsWith('+') ? findOperator(pricing.operators, address) : null;
  const mccmnc = operator?.mccmnc ?? null;
  const { type, sender } = attempt;
  const group = pricing.groupOf({ type, sender, text, mccmnc });
  // The tariff has the price of an instance's month, which its messages are part of.
  if (type === 'wapi')
    return {
      text,
      segments,
      multiplier,
      amount: 0n,
      price: [],
      tariffId: null,
      mccmnc,
      operator: operator?.name ?? null,
      group,
    };
  const price = pricing.book.price({
    type,
    sender,
    phone: address,
    text,
    mccmnc,
    contactLists: lists,
    group,
  });
  return {
    text,
    segments,
    multiplier,
    amount: price && amountOf(price.price, multiplier, type),
    price: price?.price ?? [],
    tariffId: price?.tariffIds[0] ?? null,
    mccmnc,
    operator: operator?.name ?? null,
    group,
  };
}

/**
 * The quote of a text that may be sealed. Where the asterisks stand digits are sent, by which templates of operators and tariffs
 * decide; stored is the text with asterisks.
 */
export function quoteOf(
  isSealed: boolean | undefined,
  attempt: AttemptPlan,
  ...others: Parameters<typeof quote> extends [AttemptPlan, ...infer Rest] ? Rest : never
): Quote {
  if (!isSealed || !attempt.text) return quote(attempt, ...others);
  const [, values] = others;
  const masked = attempt.text.render(values);
  const sent = compileText(masked.replaceAll('*', '0'));
  return { ...quote({ ...attempt, text: sent }, ...others), text: masked };
}

/** Measured texts without variables, which are the same for all recipients. */
const measuredStaticTexts = new WeakMap<AttemptPlan, Measured>();

function measuredText(attempt: AttemptPlan, values: Values): Measured {
  if (attempt.text && !attempt.text.isStatic) return measure(attempt, attempt.text.render(values));
  let known = measuredStaticTexts.get(attempt);
  if (!known)
    measuredStaticTexts.set(attempt, (known = measure(attempt, attempt.text?.render({}) ?? '')));
  return known;
}

function measure({ type, audioSeconds }: AttemptPlan, text: string): Measured {
  const segments = segmentsForType(type, text);
  const seconds = audioSeconds ?? Math.max(1, Math.ceil(text.length / VOICE_CHARACTERS_PER_SECOND));
  return { text, segments, multiplier: multiplierOf(type, segments, seconds) };
}

/** Stored on the row, except for the default group. */
export const groupData = ({ group }: Quote): { group?: TrafficGroup } | null =>
  group === DEFAULT_GROUP ? null : { group };

/** A `numeric[]` literal. */
export const priceLiteral = (price: readonly Money[]): string =>
  `{${price.map(formatMoney).join(',')}}`;
