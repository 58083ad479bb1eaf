import { isTooLong } from '@heliograph/contract';
import {
  amountOf,
  CLICK_CODE,
  compileContent,
  DEFAULT_GROUP,
  findOperator,
  formatMoney,
  hasVolume,
  literalText,
  multiplierOf,
  secondsOfCall,
  segmentsForType,
  withoutClickCode,
  type MessageParts,
  type Money,
  type Price,
  type TrafficGroup,
} from '@heliograph/domain';
import type { NewCall, SteppedTariff, VolumeUse } from '../../billings/charges.service.ts';
import type { AttemptPlan } from '../plan.ts';
import type { Pricing } from './pricing.service.ts';

/** A rendered message and its billed units. */
interface Measured {
  text: string;
  /** Its other fields, if they have variables. */
  parts: MessageParts | null;
  /** It cannot be sent to this recipient: a variable has no value, or nothing is left to be seen, or too much for the channel. */
  fault: 'no_value' | 'too_long' | null;
  segments: number;
  multiplier: number;
}

/** One message with its price, for the estimate and for the charge. */
export interface Quote extends Omit<Measured, 'fault'> {
  /** Why it is not sent; funds are not considered. */
  refusal: 'no_value' | 'too_long' | 'no_price' | null;
  /** Null when it has no price. */
  amount: Money | null;
  price: readonly Money[];
  /** Of a call that is charged by its length: the amount is a reserve, for the length of its text or recording. */
  byLength?: NewCall;
  /** What lowers the price by the units of the month, while it is not paid. */
  stepped?: SteppedTariff & { floor?: readonly Money[] };
  /** By what volume it is priced, once it is paid. */
  volume?: VolumeUse;
  /** The package that covers it; its amount is zero then, and the price is what it would cost. */
  packageId?: string;
  tariffId: string | null;
  /** Of this tariff. */
  tariffVersion: number | null;
  /** The rule that set the price, then the discounts. */
  ruleIds: readonly string[];
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
  const { fault, ...measured } = measuredText(attempt, values);
  const { text, multiplier } = measured;
  const operator = address.startsWith('+') ? findOperator(pricing.operators, address) : null;
  const mccmnc = operator?.mccmnc ?? null;
  const { type, sender } = attempt;
  const written = writtenText(pricing, { type, sender, text, mccmnc }, values[CLICK_CODE]);
  const group = pricing.groupOf({ type, sender, text: written, mccmnc });
  // The tariff has the price of an instance's month, which its messages are part of.
  if (type === 'wapi' || pricing.isFree)
    return {
      ...measured,
      refusal: fault,
      amount: fault ? null : 0n,
      price: [],
      tariffId: null,
      tariffVersion: null,
      ruleIds: [],
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
  const byLength = type === 'voice' ? price?.byLength : undefined;
  const units = byLength ? secondsOfCall(multiplier, byLength) : multiplier;
  return {
    ...measured,
    multiplier: units,
    ...(byLength && { byLength: { ...byLength, estimated: multiplier } }),
    refusal: fault ?? (price ? null : 'no_price'),
    amount: fault || !price ? null : amountOf(price.price, units, type),
    price: price?.price ?? [],
    tariffId: price?.tariffIds[0] ?? null,
    tariffVersion: price?.version ?? null,
    ...(price?.steps && hasVolume(type) && { stepped: steppedBy(price) }),
    ruleIds: price?.ruleIds ?? [],
    mccmnc,
    operator: operator?.name ?? null,
    group,
  };
}

const steppedBy = ({ tariffIds, steps = [], floor }: Price): Quote['stepped'] => ({
  TariffId: tariffIds[0]!,
  steps,
  floor,
});

/** The text by which a template is found: as it is sent, or if none matches that, without the code of the recipient in its links. */
export const writtenText = (
  { matchOf }: Pick<Pricing, 'matchOf'>,
  message: Parameters<NonNullable<Pricing['matchOf']>>[0],
  code: string | null | undefined,
): string =>
  code && matchOf && !matchOf(message) ? withoutClickCode(message.text, code) : message.text;

/**
 * The quote of a text that may be sealed. Where the asterisks stand digits are sent, by which templates of operators and tariffs
 * decide; stored is the text with asterisks.
 */
export function quoteOf(
  isSealed: boolean | undefined,
  attempt: AttemptPlan,
  ...others: Parameters<typeof quote> extends [AttemptPlan, ...infer Rest] ? Rest : never
): Quote {
  const [, values] = others;
  const masked = isSealed && attempt.content.render(values)?.text;
  if (!masked) return quote(attempt, ...others);
  const text = literalText(masked.replaceAll('*', '0'));
  const sent = compileContent(attempt.type, { ...attempt.payload, text });
  return { ...quote({ ...attempt, content: sent }, ...others), text: masked };
}

/** Measured texts without variables, which are the same for all recipients. */
const measuredStaticTexts = new WeakMap<AttemptPlan, Measured>();

function measuredText(attempt: AttemptPlan, values: Values): Measured {
  if (!attempt.content.isStatic) return measure(attempt, values);
  let known = measuredStaticTexts.get(attempt);
  if (!known) measuredStaticTexts.set(attempt, (known = measure(attempt, {})));
  return known;
}

function measure({ type, content, payload, audioSeconds }: AttemptPlan, values: Values): Measured {
  const rendered = content.render(values);
  const { text, parts } = rendered ?? { text: '', parts: null };
  const segments = segmentsForType(type, text);
  const seconds = audioSeconds ?? Math.max(1, Math.ceil(text.length / VOICE_CHARACTERS_PER_SECOND));
  const multiplier = multiplierOf(type, segments, seconds);
  const fault = !rendered
    ? 'no_value'
    : !content.isStatic && isTooLong(type, { text, ...parts }, payload)
      ? 'too_long'
      : null;
  return { text, parts, fault, segments, multiplier };
}

/** What of a quote is stored in the data of the row: its group, except for the default one, and the fields that were filled in. */
export const quoteData = ({
  group,
  parts,
}: Quote): { group?: TrafficGroup; parts?: MessageParts } | null =>
  group === DEFAULT_GROUP && !parts
    ? null
    : { ...(group !== DEFAULT_GROUP && { group }), ...(parts && { parts }) };

/** A `numeric[]` literal. */
export const priceLiteral = (price: readonly Money[]): string =>
  `{${price.map(formatMoney).join(',')}}`;
