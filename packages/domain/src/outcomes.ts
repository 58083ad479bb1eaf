import type { SendingErrorCode, Status } from './types.ts';

/** Result for a recipient, from all attempts of its chain. */
export const OUTCOMES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The stored integers of outcomes; `pending` is stored as null. */
export const OUTCOME_CODES = { delivered: 1, failed: 2, cancelled: 3 } as const;
const NAMES: Record<number, Outcome> = { 1: 'delivered', 2: 'failed', 3: 'cancelled' };

/** Error code of messages that were stopped before their submission. */
export const STOPPED = 'stopped' satisfies SendingErrorCode;

/** The stored integer of an outcome: `outcomeCode('delivered')` is 1. */
export function outcomeCode(outcome: Exclude<Outcome, 'pending'>): number {
  return OUTCOME_CODES[outcome];
}

/** The outcome of a stored integer: `outcomeOf(null)` is 'pending'. Throws RangeError on an unknown one. */
export function outcomeOf(code: number | null): Outcome {
  const outcome = code === null ? 'pending' : NAMES[code];
  if (!outcome) throw new RangeError(`Unknown outcome code ${code}`);
  return outcome;
}

/**
 * The outcome of a chain without a delivered attempt, whose last attempt failed with this code. Stopped messages are
 * cancelled, not failed.
 */
export function outcomeOfFailure(code: string | null | undefined): 'failed' | 'cancelled' {
  return code === STOPPED ? 'cancelled' : 'failed';
}

const STATUSES_IMPLYING: Record<Outcome, readonly Status[]> = {
  pending: ['pending', 'paused', 'processing', 'sent'],
  delivered: ['delivered', 'seen'],
  failed: ['failed'],
  cancelled: [],
};

/**
 * Whether the outcome of a recipient follows from the status of one attempt. Otherwise another attempt determined it:
 * `('failed', 'delivered')` is false. Cancelled attempts have the status `failed`, so `cancelled` never follows.
 */
export function statusImpliesOutcome(status: Status, outcome: Outcome): boolean {
  return STATUSES_IMPLYING[outcome].includes(status);
}

/**
 * The share of delivered recipients among delivered and failed ones, from 0 to 1. Null if there are none. Pending and cancelled
 * recipients are not counted.
 */
export function deliveryRate(counts: { delivered: number; failed: number }): number | null {
  const known = counts.delivered + counts.failed;
  return known > 0 ? counts.delivered / known : null;
}
