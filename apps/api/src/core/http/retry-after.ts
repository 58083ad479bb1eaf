const MAX_MS = 15 * 60_000;

/** Parses `Retry-After` (seconds or a date) to milliseconds, at most 15 minutes; null if it is missing or invalid. */
export function retryAfterMs(header: string | null | undefined): number | null {
  if (!header?.trim()) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_MS);
}
