import { useRef } from 'react';

/** What was shown last: a dialog that closes still shows it while it fades. */
export function useLast<T>(value: T, isShown = !!value): T {
  const last = useRef(value);
  if (isShown) last.current = value;
  return last.current;
}
