import type { Estimate, ReachedCap } from '@heliograph/contract';

/** Balance and overdraft of an account. */
export interface Funds {
  balance: number;
  overdraft: number;
}

/** To four decimals: floats add up to a little less. */
export const spendable = ({ balance, overdraft }: Funds): number =>
  Number((balance + overdraft).toFixed(4));

/** An estimate with the current balance, which changes while the price stays. */
export function fundedBy(estimate: Estimate, funds: Funds | undefined): Estimate {
  if (!funds) return estimate;
  const { amount, cap } = estimate;
  const enough = amount <= spendable(funds) && !cap;
  return { ...estimate, balanceAfter: funds.balance - amount, enough };
}

/** The price and the available money; null where it is unknown. With a cap, what the cap leaves. */
export interface Shortage {
  amount: number | null;
  available: number | null;
  cap?: ReachedCap;
}

/**
 * Why a sending cannot be paid; null when it can, or when nobody knows. Before there is a price of the whole it is
 * `lowest`, that of one message, which has to be there.
 */
export function shortageOf(
  estimate: Estimate | undefined,
  funds: Funds | undefined,
  lowest: number | null,
): Shortage | null {
  const available = funds ? spendable(funds) : null;
  if (estimate?.enough) return null;
  if (estimate) {
    const { amount, cap } = estimate;
    const isCapped = cap && (available === null || amount <= available);
    return isCapped ? { amount, available: leftOf(cap), cap } : { amount, available };
  }
  const isShort = available !== null && (lowest === null ? available < 0 : available < lowest);
  return isShort ? { amount: null, available } : null;
}

/** The sum to top up, in whole units; undefined while nobody knows it, or where money does not help. */
export function missingOf(shortage: Shortage | null): number | undefined {
  const { amount, available, cap } = shortage ?? {};
  if (cap || amount == null || available == null) return undefined;
  return Math.ceil(Number((amount - available).toFixed(4)));
}

const leftOf = ({ limit, spent }: ReachedCap): number =>
  Math.max(0, Number((limit - spent).toFixed(4)));
