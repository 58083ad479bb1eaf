import {
  amountOf,
  countSegments,
  findOperator,
  formatMoney,
  multiplierOf,
  type Money,
  type OperatorTable,
  type PriceBook,
} from '@heliograph/domain';
import type { AttemptPlan } from './plan.ts';

/** One message with its price: what the estimate adds up and what the bill charges. */
export interface Quote {
  text: string;
  segments: number;
  multiplier: number;
  /** Null: the tariff has no price for it. */
  amount: Money | null;
  price: readonly Money[];
  tariffId: string | null;
  mccmnc: string | null;
  operator: string | null;
}

export interface Pricing {
  book: PriceBook;
  operators: OperatorTable;
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
  const text = attempt.text
    ? attempt.text.isStatic
      ? attempt.text.render({})
      : attempt.text.render(values)
    : '';
  const operator = address.startsWith('+') ? findOperator(pricing.operators, address) : null;
  const price = pricing.book.price({
    type: attempt.type,
    sender: attempt.sender,
    phone: address,
    text,
    mccmnc: operator?.mccmnc ?? null,
    contactLists: lists,
    // Reserved: nothing says of what kind a message is (docs/decisions/012).
    group: null,
  });
  const { segments } = countSegments(text);
  const seconds =
    attempt.audioSeconds ?? Math.max(1, Math.ceil(text.length / VOICE_CHARACTERS_PER_SECOND));
  const multiplier = multiplierOf(attempt.type, text, seconds);
  return {
    text,
    segments: Math.max(1, segments),
    multiplier,
    amount: price && amountOf(price.price, multiplier, attempt.type),
    price: price?.price ?? [],
    tariffId: price?.tariffIds[0] ?? null,
    mccmnc: operator?.mccmnc ?? null,
    operator: operator?.name ?? null,
  };
}

/** As Postgres reads a `numeric[]`. */
export const priceLiteral = (price: readonly Money[]): string =>
  `{${price.map(formatMoney).join(',')}}`;
