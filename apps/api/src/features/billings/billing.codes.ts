import type { BILLING_SOURCES, BILLING_STATUSES } from '@heliograph/contract';
import { typeCode, typeOf, type SendingType } from '@heliograph/domain';

export type Source = (typeof BILLING_SOURCES)[number];
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** The numbers that stand in rows. Movements by hand are negative, a sending's is the code of its type. */
export const BY_HAND = { accrual: -1, subtract: -2, transfer: -3 } as const;
type ByHand = keyof typeof BY_HAND;
const BY_HAND_NAMES = Object.keys(BY_HAND) as ByHand[];
export const STATUS = { pending: 0, complete: 1, refunded: 2, invalid: 3 } as const;
const STATUS_NAMES = Object.keys(STATUS) as BillingStatus[];

/** `sendings.sms` is 1, as the type is. */
export function sourceCode(source: Source): number {
  if (source in BY_HAND) return BY_HAND[source as ByHand];
  return typeCode(source.slice('sendings.'.length) as SendingType);
}

export function sourceOf(code: number): Source {
  return BY_HAND_NAMES.find((name) => BY_HAND[name] === code) ?? `sendings.${typeOf(code)}`;
}

export function billingStatusOf(code: number): BillingStatus {
  const name = STATUS_NAMES.find((status) => STATUS[status] === code);
  if (!name) throw new RangeError(`Unknown billing status code ${code}`);
  return name;
}
