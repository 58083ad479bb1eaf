import type { AcquirerState } from '../acquirer.ts';

type Status = AcquirerState['status'] | 'refunded' | 'partRefunded';

/** Source: "Statuses of a payment" of T-Bank's internet acquiring. Payments have one stage: nothing stays `AUTHORIZED`. */
const STATUSES: Record<string, Status> = {
  NEW: 'pending',
  FORM_SHOWED: 'pending',
  PREAUTHORIZING: 'pending',
  AUTHORIZING: 'pending',
  '3DS_CHECKING': 'pending',
  '3DS_CHECKED': 'pending',
  PAY_CHECKING: 'pending',
  AUTHORIZED: 'pending',
  CONFIRMING: 'pending',
  CONFIRM_CHECKING: 'pending',
  CONFIRMED: 'paid',
  REVERSING: 'pending',
  REFUNDING: 'pending',
  ASYNC_REFUNDING: 'pending',
  PARTIAL_REFUNDED: 'partRefunded',
  REFUNDED: 'refunded',
  PARTIAL_REVERSED: 'pending',
  REVERSED: 'refunded',
  // The payer may try again on the same page.
  AUTH_FAIL: 'pending',
  REJECTED: 'failed',
  CANCELED: 'failed',
  DEADLINE_EXPIRED: 'failed',
  ATTEMPTS_EXPIRED: 'failed',
};

/** Of these a payer makes something on the page. A charge of a saved card has no payer. */
const LEFT_TO_THE_PAYER = new Set(['AUTH_FAIL', '3DS_CHECKING', 'FORM_SHOWED']);

/** Null for one that is not in the table: nothing is concluded from it. */
export function statusOf(status: unknown, isCharge: boolean): Status | null {
  if (typeof status !== 'string' || !Object.hasOwn(STATUSES, status)) return null;
  return isCharge && LEFT_TO_THE_PAYER.has(status) ? 'failed' : STATUSES[status]!;
}

export const isRefunding = (status: unknown) =>
  status === 'REFUNDING' || status === 'ASYNC_REFUNDING' || status === 'REVERSING';
