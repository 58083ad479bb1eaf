interface Row {
  id: string;
}

export interface StableRows<T> {
  /** The rows to show. */
  rows: T[];
  /** How many new rows are left out above them. */
  newCount: number;
}

/**
 * The shown rows in their current state, without the rows that arrived above them since, so that nothing moves. A row
 * that new rows pushed off the page stays; a row that was removed from the middle is dropped.
 */
export function keepStable<T extends Row>(shown: T[], current: T[]): StableRows<T> {
  const known = new Set(shown.map((row) => row.id));
  const newCount = current.findIndex((row) => known.has(row.id));
  if (newCount <= 0) return { rows: current, newCount: 0 };
  const rest = current.slice(newCount);
  const listed = new Set(rest.map((row) => row.id));
  const pushedOff = shown.slice(shown.findLastIndex((row) => listed.has(row.id)) + 1);
  return { rows: [...rest, ...pushedOff.slice(0, newCount)], newCount };
}
