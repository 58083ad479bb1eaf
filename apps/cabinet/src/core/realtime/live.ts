import { EVENT_COVERAGE } from '@heliograph/contract';
import { useSyncExternalStore } from 'react';
import type { Noun } from '../query-keys.ts';
import { pollEvery, untilAnswered } from '../query.ts';

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

/** Of rows that change without an event. */
export const polled = pollEvery(15_000);

const coverage: Partial<Record<Noun, 'full' | 'partial'>> = EVENT_COVERAGE;

/** A `refetchInterval`: nouns whose changes all arrive by the socket are polled only while there is none. */
export const pollingOf = (noun: Noun, now: LiveState) =>
  now === 'on' && coverage[noun] === 'full' ? untilAnswered : polled;

export function usePolling(noun: Noun) {
  return pollingOf(noun, useLive());
}
