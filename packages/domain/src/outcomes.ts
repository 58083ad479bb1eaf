import type { SendingErrorCode, Status } from './types.ts';

/** What became of a recipient: how the chain of attempts to reach it stands. */
export const OUTCOMES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The stored integers of outcomes; `pending` is stored as null. */
export const OUTCOME_CODES = { delivered: 1, failed: 2, cancelled: 3 } as const;
const NAMES: Record<number, Outcome> = { 1: 'delivered', 2: 'failed', 3: 'cancelled' };

/** The code of what its owner stopped before it was handed over. */
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
 * How a chain ends whose last attempt failed with this code, when no other was delivered: what its owner stopped is
 * cancelled and not failed.
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
 * Whether the status of an attempt says by itself what became of its recipient; else another attempt decided:
 * `('failed', 'delivered')` is false. What was cancelled has the status `failed`, which does not say it.
 */
export function statusImpliesOutcome(status: Status, outcome: Outcome): boolean {
  return STATUSES_IMPLYING[outcome].includes(status);
}

/**
 * The share of recipients who were reached among those of whom it is known, 0 to 1; null while it is of nobody. What is
 * pending or was cancelled is in no rate.
 */
export function deliveryRate(counts: { delivered: number; failed: number }): number | null {
  const known = counts.delivered + counts.failed;
  return known > 0 ? counts.delivered / known : null;
}
