import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** Runs when a setting has changed, here or in another tab. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** A small setting of this browser. Without room for it, it is forgotten with the page. */
export const stored = {
  get: (key: string): string | null => globalThis.localStorage?.getItem(key) ?? null,
  /** The keys that begin so. */
  names: (prefix: string): string[] =>
    Object.keys(localStorage).filter((key) => key.startsWith(prefix)),
  set(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Full or forbidden: nothing that the page could not do without.
    }
    for (const listener of listeners) listener();
  },
};

export function useStored(key: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => stored.get(key));
  const set = useCallback((next: string | null) => stored.set(key, next), [key]);
  return [value, set];
}
