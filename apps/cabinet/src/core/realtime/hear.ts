import type { PersonEvents } from '@heliograph/contract';
import { useEffect, useRef } from 'react';

type Name = keyof PersonEvents;
const listeners = new Set<(name: string, body: unknown) => void>();

/** Tells whoever listens of an event, after the lists have it. */
export function heard(name: string, body: unknown): void {
  for (const listener of listeners) listener(name, body);
}

/** Runs for every such event, for what is more than a change of rows. */
export function useHear<N extends Name>(name: N, run: (body: PersonEvents[N]) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const listener = (happened: string, body: unknown) => {
      if (happened === name) latest.current(body as PersonEvents[N]);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [name]);
}
