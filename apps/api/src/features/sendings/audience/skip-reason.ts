import type { Quote } from '../pricing/quote.ts';
import type { Recipient } from './audience.store.ts';

/** Under which a recipient is counted whose message is not sent for what its quote says. */
export const SKIP_REASONS = {
  no_value: 'noValue',
  too_long: 'tooLong',
  no_price: 'noPrice',
} as const satisfies Record<NonNullable<Quote['refusal']>, string>;

/** Why a recipient gets no message; null when it gets one. `seen` holds the addresses before it. For the bulk and for its estimate. */
export function skipReason(recipient: Recipient, seen: ReadonlySet<string>): string | null {
  if (!recipient.address) return 'noAddress';
  if (recipient.isExcluded) return 'excluded';
  if (recipient.isBlacklisted) return 'blacklisted';
  if (recipient.isUnsubscribed) return 'unsubscribed';
  if (recipient.since) return recipient.since;
  return seen.has(recipient.address) ? 'duplicate' : null;
}
