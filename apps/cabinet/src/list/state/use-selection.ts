import { useCallback, useRef, useState } from 'react';
import type { ListControl } from './use-list-state.ts';
import type { List } from './use-list.ts';

export interface Selection<T> {
  rows: T[];
  has: (id: string) => boolean;
  /** `range`: every row between this one and the one toggled before. Its identity never changes, so rows are not drawn again. */
  toggle: (row: T, range?: boolean) => void;
  /** Every row of the page, or none of it. */
  togglePage: (on: boolean) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Rows selected for a bulk action. They stay selected on other pages of the list. Under other filters they are neither
 * shown nor counted, and they return with the filters unless other rows were selected meanwhile.
 */
export function useSelection<T extends { id: string }>(
  list: List<T>,
  control: ListControl,
  removed: ReadonlySet<string> = NONE,
): Selection<T> {
  const { filters, search, period } = control.state;
  const filterKey = JSON.stringify([filters, search, period]);
  const [stored, setStored] = useState<{ filterKey: string; selected: SelectedRows<T> }>({
    filterKey,
    selected: new Map(),
  });
  const last = useRef<string>(null);
  const selected = without<T>(
    stored.filterKey === filterKey ? stored.selected : new Map(),
    removed,
  );
  const set = (next: SelectedRows<T>) => setStored({ filterKey, selected: next });
  const toggleRow = (row: T, range: boolean) => {
    const rows = range ? between(list.rows, last.current, row.id) : [row];
    set(setSelected(selected, rows, !selected.has(row.id)));
    last.current = row.id;
  };
  const latestToggle = useRef(toggleRow);
  latestToggle.current = toggleRow;
  return {
    rows: latest(selected, list.rows),
    has: (id) => selected.has(id),
    toggle: useCallback((row: T, range = false) => latestToggle.current(row, range), []),
    togglePage: (on) => set(setSelected(selected, list.rows, on)),
    clear: () => set(new Map()),
  };
}

interface Row {
  id: string;
}
type SelectedRows<T extends Row> = ReadonlyMap<string, T>;

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
