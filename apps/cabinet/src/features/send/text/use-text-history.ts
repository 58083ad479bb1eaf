import { useRef } from 'react';
import { changed, historyOf, redone, undone, type TextHistory } from './text-history.ts';

/** Undo and redo of a text that is also changed by the page: the browser's own would forget those changes. */
export function useTextHistory(value: string, onChange: (text: string) => void) {
  const history = useRef<TextHistory>(historyOf(value));
  // Changed from elsewhere, by a template for instance: a step like any other.
  if (history.current.present !== value) {
    history.current = changed(history.current, value, Date.now(), false);
  }
  const move = (next: TextHistory) => {
    if (next === history.current) return;
    history.current = next;
    onChange(next.present);
  };
  const { past, future } = history.current;
  return {
    type: (text: string) => move(changed(history.current, text, Date.now(), true)),
    put: (text: string) => move(changed(history.current, text, Date.now(), false)),
    undo: () => move(undone(history.current)),
    redo: () => move(redone(history.current)),
    can: { undo: past.length > 0, redo: future.length > 0 },
  };
}
