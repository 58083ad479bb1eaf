interface Row {
  id: string;
}
export type SelectedRows<T extends Row> = ReadonlyMap<string, T>;

/** Adds rows to the selection, or removes them from it. */
export function setSelected<T extends Row>(
  selected: SelectedRows<T>,
  rows: T[],
  on: boolean,
): SelectedRows<T> {
  const next = new Map(selected);
  for (const row of rows) {
    if (on) next.set(row.id, row);
    else next.delete(row.id);
  }
  return next;
}

/** The rows between two rows of one page, both included; only the last one when the first is not on the page. */
export function between<T extends Row>(rows: T[], from: string | null, to: string): T[] {
  const end = rows.findIndex((row) => row.id === to);
  const start = rows.findIndex((row) => row.id === from);
  if (end < 0) return [];
  if (start < 0) return [rows[end]!];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The selected rows in their current state: rows of the page may have changed since they were selected. */
export function latest<T extends Row>(selected: SelectedRows<T>, rows: T[]): T[] {
  const current = new Map(rows.map((row) => [row.id, row]));
  return [...selected].map(([id, row]) => current.get(id) ?? row);
}

/** The selection without removed rows. */
export function without<T extends Row>(
  selected: SelectedRows<T>,
  removed: ReadonlySet<string>,
): SelectedRows<T> {
  if (![...selected.keys()].some((id) => removed.has(id))) return selected;
  return new Map([...selected].filter(([id]) => !removed.has(id)));
}
