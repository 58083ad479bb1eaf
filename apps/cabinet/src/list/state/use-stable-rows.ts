import { useMemo, useReducer, useRef, useSyncExternalStore } from 'react';
import type { List } from './use-list.ts';

function onScroll(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}
const isScrolled = () => scrollY > 0;

/**
 * A list whose rows do not move while the page is scrolled or rows are selected: new rows are counted, and shown when the
 * user asks for them or is back at the top without a selection.
 */
export function useStableRows<T extends { id: string }>(list: List<T>, hasSelection: boolean) {
  const { rows, requestKey } = list;
  const isStable = useSyncExternalStore(onScroll, isScrolled) || hasSelection;
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const shown = useRef({ requestKey, from: rows, rows, newCount: 0 });
  if (!isStable || shown.current.requestKey !== requestKey) {
    shown.current = { requestKey, from: rows, rows, newCount: 0 };
  } else if (shown.current.from !== rows) {
    shown.current = { requestKey, from: rows, ...keepStable(shown.current.rows, rows) };
  }
  const stable = shown.current;
  const showNew = () => {
    shown.current = { requestKey, from: rows, rows, newCount: 0 };
    scrollTo({ top: 0 });
    redraw();
  };
  return {
    list: useMemo(() => ({ ...list, rows: stable.rows }), [list, stable.rows]),
    newCount: stable.newCount,
    showNew,
  };
}

interface Row {
  id: string;
}

interface StableRows<T> {
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
