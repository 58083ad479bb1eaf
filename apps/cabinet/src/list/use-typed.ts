import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 500;

/** A text that is told on when typing pauses, and follows when it is changed from elsewhere. */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const next = typed.trim();
    if (next === told.current) return;
    const timer = setTimeout(() => {
      told.current = next;
      tell.current(next);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // A sheet that closes before the pause is over takes the field along, not what was typed.
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  });
  useEffect(() => {
    const { pathname } = location;
    return () => {
      const next = latest.current.trim();
      // On another page it would be said to that one.
      if (next !== told.current && location.pathname === pathname) tell.current(next);
    };
  }, []);
  return [typed, setTyped] as const;
}
