import { useCallback, useRef, useState } from 'react';
import { between, setSelected, latest, without, type SelectedRows } from './selection.ts';
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
