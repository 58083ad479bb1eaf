import type { QueryContext, QueryResult, SubmittedMessage } from './channel.ts';

/** Failures may come after the time without one. */
const LATE_SECONDS = 86_400;

/** Seconds after which such a message expires, should it not be counted as delivered. */
export const expiryAfter = (seconds: number): number => seconds + LATE_SECONDS;

/** Of carriers that say nothing of what arrives: after so many seconds without a failure a message counts as delivered. */
export function assumedDelivered(
  messages: readonly SubmittedMessage[],
  { now }: Pick<QueryContext, 'now'>,
  seconds: number,
): QueryResult {
  const taken = messages.filter(({ state }) => state === 'submitted');
  const due = taken.map(({ reference, submittedAt }) => ({
    reference,
    at: new Date(submittedAt.getTime() + seconds * 1000),
  }));
  const later = due.filter(({ at }) => at > now).map(({ at }) => at.getTime());
  return {
    reports: due.filter(({ at }) => at <= now).map((one) => ({ ...one, status: 'delivered' })),
    replies: [],
    nextAt: later.length ? new Date(Math.min(...later)) : null,
  };
}
