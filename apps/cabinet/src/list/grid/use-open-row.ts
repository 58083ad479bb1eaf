import type { MouseEvent } from 'react';
import { useNavigate, type To } from 'react-router';

const ACTS = 'a, button, input, label, select, textarea';

/**
 * Opens a row, or its card, by a click anywhere on it: for the mouse and the finger. Keyboards and screen readers use the
 * link in its name.
 */
export function useOpenRow<T>(row: T, rowTo: ((row: T) => To) | undefined) {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (!rowTo || target.closest(ACTS) || getSelection()?.toString()) return;
    void navigate(rowTo(row), { preventScrollReset: true });
  };
}
