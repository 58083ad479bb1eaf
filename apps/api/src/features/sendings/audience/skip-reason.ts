import type { Recipient } from './audience.store.ts';

/** Why a recipient gets no message; null when it gets one. `seen` holds the addresses before it. For the bulk and for its estimate. */
export function skipReason(recipient: Recipient, seen: ReadonlySet<string>): string | null {
  if (!recipient.address) return 'noAddress';
  if (recipient.isExcluded) return 'excluded';
  if (recipient.isBlacklisted) return 'blacklisted';
  if (recipient.isUnsubscribed) return 'unsubscribed';
  return seen.has(recipient.address) ? 'duplicate' : null;
}
