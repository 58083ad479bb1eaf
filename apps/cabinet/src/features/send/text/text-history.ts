import { useRef } from 'react';

/** The undo and redo history of a text. */
interface TextHistory {
  past: string[];
  present: string;
  future: string[];
  /** When it changed last, Unix milliseconds. */
  at: number;
}

/** Letters typed within this time are one step. */
const ONE_STEP_MS = 800;
/** The next letter begins a step of its own. */
const NEVER = Number.NEGATIVE_INFINITY;
const MAX_STEPS = 100;

export const historyOf = (present: string): TextHistory => ({
  past: [],
  present,
  future: [],
  at: NEVER,
});

/** A new text is there. `isTyped`: it joins the step that is under way. */
export function changed(h: TextHistory, text: string, now: number, isTyped: boolean): TextHistory {
  if (text === h.present) return h;
  const joins = isTyped && h.past.length > 0 && now - h.at < ONE_STEP_MS;
  const past = joins ? h.past : [...h.past, h.present].slice(-MAX_STEPS);
  return { past, present: text, future: [], at: isTyped ? now : NEVER };
}

export function undone(h: TextHistory): TextHistory {
  const before = h.past.at(-1);
  if (before === undefined) return h;
  return {
    past: h.past.slice(0, -1),
    present: before,
    future: [h.present, ...h.future],
    at: NEVER,
  };
}

export function redone(h: TextHistory): TextHistory {
  const [after, ...future] = h.future;
  if (after === undefined) return h;
  return { past: [...h.past, h.present], present: after, future, at: NEVER };
}

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
