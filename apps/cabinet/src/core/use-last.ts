import { useRef } from 'react';

/** The last shown value: a closing dialog still shows it while it fades. */
export function useLast<T>(value: T, isShown = !!value): T {
  const last = useRef(value);
  if (isShown) last.current = value;
  return last.current;
}
