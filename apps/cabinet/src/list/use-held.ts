import { useMemo, useReducer, useRef, useSyncExternalStore } from 'react';
import { hold } from './hold.ts';
import type { List } from './use-list.ts';

function onScroll(tell: () => void): () => void {
  addEventListener('scroll', tell, { passive: true });
  return () => removeEventListener('scroll', tell);
}
const isScrolled = () => scrollY > 0;

/**
 * A list that does not move while it is read further down or rows of it are ticked: what comes above waits until it is
 * let in, or the visitor is back at the top.
 */
export function useHeld<T extends { id: string }>(list: List<T>, isTicked: boolean) {
  const { rows, askKey } = list;
  const isHeld = useSyncExternalStore(onScroll, isScrolled) || isTicked;
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const shown = useRef({ askKey, from: rows, rows, waiting: 0 });
  if (!isHeld || shown.current.askKey !== askKey) {
    shown.current = { askKey, from: rows, rows, waiting: 0 };
  } else if (shown.current.from !== rows) {
    shown.current = { askKey, from: rows, ...hold(shown.current.rows, rows) };
  }
  const held = shown.current;
  const letIn = () => {
    shown.current = { askKey, from: rows, rows, waiting: 0 };
    scrollTo({ top: 0 });
    redraw();
  };
  return {
    list: useMemo(() => ({ ...list, rows: held.rows }), [list, held.rows]),
    waiting: held.waiting,
    letIn,
  };
}
