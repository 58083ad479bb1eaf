import {
  amountOf,
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

/** A text, and what it is counted as. */
interface Measured {
  text: string;
  segments: number;
  multiplier: number;
}

/** One message with its price: what the estimate adds up and what the bill charges. */
export interface Quote extends Measured {
  /** Null: the tariff has no price for it. */
  amount: Money | null;
  price: readonly Money[];
  tariffId: string | null;
  mccmnc: string | null;
  operator: string | null;
  /** Of its text. */
  group: TrafficGroup;
}

/** Speech is billed by the length that its text will take, as everybody can count it beforehand. */
const VOICE_CHARACTERS_PER_SECOND = 14;

type Values = Record<string, string | null | undefined>;

/**
 * Renders, counts and prices one message. The one place that does: estimate, bill and fallbacks all come here.
 * `quote(attempt, '+79161234567', { firstName: 'Anna' }, [], pricing)`
 */
export function quote(
  attempt: AttemptPlan,
  address: string,
  values: Values,
  lists: readonly string[],
  pricing: Pricing,
): Quote {
  const { text, segments, multiplier } = measured(attempt, values);
  const operator = address.startsWith('+') ? findOperator(pricing.operators, address) : null;
  const mccmnc = operator?.mccmnc ?? null;
  const { type, sender } = attempt;
  const group = pricing.groupOf({ type, sender, text, mccmnc });
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

/** What every recipient of an attempt gets whose text names no variable. */
const SAME_FOR_ALL = new WeakMap<AttemptPlan, Measured>();

function measured(attempt: AttemptPlan, values: Values): Measured {
  if (attempt.text && !attempt.text.isStatic) return measure(attempt, attempt.text.render(values));
  let same = SAME_FOR_ALL.get(attempt);
  if (!same) SAME_FOR_ALL.set(attempt, (same = measure(attempt, attempt.text?.render({}) ?? '')));
  return same;
}

function measure({ type, audioSeconds }: AttemptPlan, text: string): Measured {
  const segments = segmentsForType(type, text);
  const seconds = audioSeconds ?? Math.max(1, Math.ceil(text.length / VOICE_CHARACTERS_PER_SECOND));
  return { text, segments, multiplier: multiplierOf(type, segments, seconds) };
}

/** What a row keeps of a group: nothing of what most messages are. */
export const groupData = ({ group }: Quote): { group?: TrafficGroup } | null =>
  group === DEFAULT_GROUP ? null : { group };

/** As Postgres reads a `numeric[]`. */
export const priceLiteral = (price: readonly Money[]): string =>
  `{${price.map(formatMoney).join(',')}}`;
