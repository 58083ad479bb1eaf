interface Row {
  id: string;
}
export type Chosen<T extends Row> = ReadonlyMap<string, T>;

/** Takes rows in, or out. */
export function choose<T extends Row>(chosen: Chosen<T>, rows: T[], on: boolean): Chosen<T> {
  const next = new Map(chosen);
  for (const row of rows) {
    if (on) next.set(row.id, row);
    else next.delete(row.id);
  }
  return next;
}

/** The rows between two of one page, both included; only the last one when the first is not on it. */
export function between<T extends Row>(rows: T[], from: string | null, to: string): T[] {
  const end = rows.findIndex((row) => row.id === to);
  const start = rows.findIndex((row) => row.id === from);
  if (end < 0) return [];
  if (start < 0) return [rows[end]!];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The chosen rows as they stand now: those of the page may have changed since they were chosen. */
export function latest<T extends Row>(chosen: Chosen<T>, rows: T[]): T[] {
  const now = new Map(rows.map((row) => [row.id, row]));
  return [...chosen].map(([id, row]) => now.get(id) ?? row);
}

/** Without rows that are no more. */
export function without<T extends Row>(chosen: Chosen<T>, gone: ReadonlySet<string>): Chosen<T> {
  if (![...chosen.keys()].some((id) => gone.has(id))) return chosen;
  return new Map([...chosen].filter(([id]) => !gone.has(id)));
}
