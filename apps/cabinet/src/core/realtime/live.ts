import { useSyncExternalStore } from 'react';
import { untilAnswered } from '../query.ts';

/** `off` before the first connection; `waiting` after a loss, while it is being restored. */
export type LiveState = 'off' | 'on' | 'waiting';

let state: LiveState = 'off';
const listeners = new Set<() => void>();

export const live = {
  get: (): LiveState => state,
  set(next: LiveState): void {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useLive(): LiveState {
  return useSyncExternalStore(live.subscribe, live.get);
}

const POLL_MS = 15_000;

/** How often what a socket tells of is asked for: by itself only while there is no socket. A `refetchInterval`. */
export function usePolling() {
  return useLive() === 'on' ? untilAnswered : POLL_MS;
}
