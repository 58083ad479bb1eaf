/** A client whose clock is ahead may choose exactly one year. */
const TOLERANCE_MS = 3_600_000;

/** How many days before its expiry the owner of an API token is notified. */
export const TOKEN_EXPIRY_NOTICE_DAYS = 7;
/** The longest time for which the former secret of a rotated token stays valid. */
export const MAX_TOKEN_OVERLAP_DAYS = 7;

/** The latest expiry of an API token: the same time next year. */
export function latestTokenExpiry(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  return latest;
}

/** The rule that the expiry of a token breaks; null if it breaks none. */
export function tokenExpiryError(expiredAt: Date, now: Date): 'past' | 'far' | null {
  if (expiredAt <= now) return 'past';
  return expiredAt.getTime() > latestTokenExpiry(now).getTime() + TOLERANCE_MS ? 'far' : null;
}
