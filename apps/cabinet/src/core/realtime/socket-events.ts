import type { Change, EventBody, PersonEvents, Resource } from '@heliograph/contract';
import { useEffect, useRef } from 'react';

type RowEvents = { [R in Resource as `${R}.${Exclude<Change, 'removed'>}`]: EventBody<R> };
type SocketEvents = PersonEvents & RowEvents;
const listeners = new Set<(name: string, body: unknown) => void>();

/** Calls the listeners of a socket event, after it was merged into the lists. */
export function emitSocketEvent(name: string, body: unknown): void {
  for (const listener of listeners) listener(name, body);
}

/** Runs for every event of this name, outside of components. Returns what ends that. */
export function onSocketEvent(name: string, run: (body: unknown) => void): () => void {
  const listener = (happened: string, body: unknown) => {
    if (happened === name) run(body);
  };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Runs for every such event, where merging it into the lists is not enough. */
export function useSocketEvent<N extends keyof SocketEvents>(
  name: N,
  run: (body: SocketEvents[N]) => void,
): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => onSocketEvent(name, (body) => latest.current(body as SocketEvents[N])), [name]);
}
