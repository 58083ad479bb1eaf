import { useCallback, useRef, useState } from 'react';
import { between, choose, latest, without, type Chosen } from './selection.ts';
import type { ListControl } from './use-list-state.ts';
import type { List } from './use-list.ts';

export interface Selection<T> {
  rows: T[];
  has: (id: string) => boolean;
  /** `range`: everything between this row and the one touched before. The same function for ever. */
  toggle: (row: T, range?: boolean) => void;
  /** Every row of the page, or none of it. */
  togglePage: (on: boolean) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Rows chosen for one act. Turning pages keeps them; under another question they are not shown and not counted, and
 * are there again when the visitor goes back to the first, unless something else was chosen meanwhile.
 */
export function useSelection<T extends { id: string }>(
  list: List<T>,
  control: ListControl,
  gone: ReadonlySet<string> = NONE,
): Selection<T> {
  const { filters, search, period } = control.state;
  const asked = JSON.stringify([filters, search, period]);
  const [kept, setKept] = useState<{ asked: string; chosen: Chosen<T> }>({
    asked,
    chosen: new Map(),
  });
  const last = useRef<string>(null);
  const chosen = without<T>(kept.asked === asked ? kept.chosen : new Map(), gone);
  const set = (next: Chosen<T>) => setKept({ asked, chosen: next });
  const toggleNow = (row: T, range: boolean) => {
    const rows = range ? between(list.rows, last.current, row.id) : [row];
    set(choose(chosen, rows, !chosen.has(row.id)));
    last.current = row.id;
  };
  const now = useRef(toggleNow);
  now.current = toggleNow;
  return {
    rows: latest(chosen, list.rows),
    has: (id) => chosen.has(id),
    toggle: useCallback((row: T, range = false) => now.current(row, range), []),
    togglePage: (on) => set(choose(chosen, list.rows, on)),
    clear: () => set(new Map()),
  };
}
