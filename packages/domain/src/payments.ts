import type { Money } from './money.ts';

export const PAYMENT_STATUSES = [
  'init',
  'completed',
  'refundRequested',
  'refunded',
  'partialRefunded',
  'error',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What happens to a payment: at the acquirer (`paid`, `failed`, `refunded`), or because a refund is requested here or has failed. */
export type PaymentEvent = 'paid' | 'failed' | 'refundRequested' | 'refunded' | 'refundFailed';

const FROM: Record<PaymentEvent, readonly PaymentStatus[]> = {
  // A payment that failed or expired here may have been paid at the acquirer after all.
  paid: ['init', 'error'],
  failed: ['init'],
  refundRequested: ['completed', 'partialRefunded'],
  refunded: ['completed', 'partialRefunded', 'refundRequested'],
  refundFailed: ['refundRequested'],
};

interface Amounts {
  amount: Money;
  /** The sum of its refunds, with that of the event. */
  refunded: Money;
  /** Whether a refund that was requested here is open after the event. */
  isRefunding: boolean;
}

/** The status after an event; null if the event changes nothing, such as a repeated notification. */
export function paymentTransition(
  status: PaymentStatus,
  event: PaymentEvent,
  { amount, refunded, isRefunding }: Amounts,
): PaymentStatus | null {
  if (!FROM[event].includes(status)) return null;
  if (event === 'failed') return 'error';
  if (isRefunding) return 'refundRequested';
  if (refunded <= 0n) return 'completed';
  return refunded < amount ? 'partialRefunded' : 'refunded';
}

/** Payments in these statuses have credited the balance. */
export const CREDITED_STATUSES: readonly PaymentStatus[] = [
  'completed',
  'refundRequested',
  'refunded',
  'partialRefunded',
];

/** One hundredth of the currency unit. */
const CENT: Money = 100n;

/** A commission in percent, rounded up to cents or another unit: 2.5 % of 10.10 is 0.26. `percent` has at most two decimals. */
export function commissionOf(amount: Money, percent: number, smallest: Money = CENT): Money {
  const exact = amount * BigInt(Math.round(percent * 100));
  const unit = smallest * 10_000n;
  return ((exact + unit - 1n) / unit) * smallest;
}

/** How often the acquirer is asked about a payment without an answer, in seconds after its creation. */
const QUERY_SECONDS = [30, 60, 120, 300, 600, 1800, 3600];

/** Seconds until the next query after `attempts` queries. */
export const querySeconds = (attempts: number): number =>
  QUERY_SECONDS[Math.min(attempts, QUERY_SECONDS.length - 1)]!;
