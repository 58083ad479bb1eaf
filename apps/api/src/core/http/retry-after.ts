const MAX_MS = 15 * 60_000;

/** What a `Retry-After` says, in seconds or as a date: milliseconds, a quarter of an hour at most; null when it says nothing. */
export function retryAfterMs(header: string | null | undefined): number | null {
  if (!header?.trim()) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_MS);
}
