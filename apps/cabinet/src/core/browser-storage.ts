import { useCallback, useSyncExternalStore } from 'react';

interface GuardedStorage {
  get: (key: string) => string | null;
  /** Answers whether the browser has it; if not, it is there until the page is left. */
  set: (key: string, value: string | null) => boolean;
  /** Whether the browser has it, and not this page alone. */
  isKept: (key: string) => boolean;
  /** The keys that begin so. */
  names: (prefix: string) => string[];
  /** Another tab has written the key: what this page has in memory is older. Null: all of them. */
  forget: (key: string | null) => void;
}

/** Storage of the browser that may be full or forbidden: what it does not take is kept in memory. */
function guarded(area: () => Storage): GuardedStorage {
  /** What the browser did not take; null for what it could not remove. */
  const memory = new Map<string, string | null>();
  const attempt = <T>(run: (storage: Storage) => T, otherwise: T): T => {
    try {
      return run(area());
    } catch {
      return otherwise;
    }
  };
  const write = (key: string, value: string | null): boolean =>
    attempt((storage) => {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, value);
      return true;
    }, false);
  return {
    get: (key) =>
      memory.has(key) ? memory.get(key)! : attempt((storage) => storage.getItem(key), null),
    set(key, value) {
      const isWritten = write(key, value);
      if (isWritten) memory.delete(key);
      else {
        memory.set(key, value);
        // Full: the former value must not come back with the next page.
        write(key, null);
      }
      return isWritten;
    },
    isKept: (key) => !memory.has(key) && attempt((storage) => storage.getItem(key), null) !== null,
    names(prefix) {
      const keys = attempt((storage) => Object.keys(storage), []);
      const present = [...memory].flatMap(([key, value]) => (value === null ? [] : [key]));
      return [...new Set([...keys.filter((key) => !memory.has(key)), ...present])].filter((key) =>
        key.startsWith(prefix),
      );
    },
    forget(key) {
      if (key === null) memory.clear();
      else memory.delete(key);
    },
  };
}

const local = guarded(() => localStorage);
const listeners = new Set<() => void>();

globalThis.addEventListener?.('storage', ({ key }) => local.forget(key));

/** Runs when a setting has changed, here or in another tab. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** What this browser remembers, for all of its tabs. */
export const browserStorage = {
  get: local.get,
  isKept: local.isKept,
  names: local.names,
  set(key: string, value: string | null): boolean {
    const isWritten = local.set(key, value);
    for (const listener of listeners) listener();
    return isWritten;
  },
};

/** What this tab remembers over a reload. */
export const tabStorage: Pick<GuardedStorage, 'get' | 'set' | 'isKept' | 'names'> = guarded(
  () => sessionStorage,
);

export function useStored(key: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => browserStorage.get(key));
  const set = useCallback((next: string | null) => void browserStorage.set(key, next), [key]);
  return [value, set];
}
