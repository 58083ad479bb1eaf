interface Row {
  id: string;
}

export interface Held<T> {
  /** What is shown meanwhile. */
  rows: T[];
  /** How many wait above it. */
  waiting: number;
}

/**
 * What was shown, as its rows are now, without those that came above it since: nothing moves under the eyes. A row that
 * they pushed off the page stays; one that left from the middle is gone.
 */
export function hold<T extends Row>(shown: T[], now: T[]): Held<T> {
  const known = new Set(shown.map((row) => row.id));
  const waiting = now.findIndex((row) => known.has(row.id));
  if (waiting <= 0) return { rows: now, waiting: 0 };
  const rest = now.slice(waiting);
  const listed = new Set(rest.map((row) => row.id));
  const pushedOff = shown.slice(shown.findLastIndex((row) => listed.has(row.id)) + 1);
  return { rows: [...rest, ...pushedOff.slice(0, waiting)], waiting };
}
