import { phaseOf } from './session-time.ts';

const TOKEN = 'heliograph.token';
const PREVIOUS = 'heliograph.previousToken';

export type EndReason = 'signedOut' | 'expired';

export interface SessionState {
  token: string | null;
  /** The account to return to after looking at another one. */
  previous: string | null;
  /** Grows whenever another identity begins, so that caches and sockets know. */
  identity: number;
  reason: EndReason | null;
}

function read(key: string): string | null {
  const token = localStorage.getItem(key);
  return phaseOf(token, Date.now()) === 'ended' ? null : token;
}

let state: SessionState = {
  token: read(TOKEN),
  previous: read(PREVIOUS),
  identity: 0,
  reason: null,
};
const listeners = new Set<() => void>();

function set(next: Partial<SessionState>): void {
  state = { ...state, ...next };
  // The token last: its change is what other tabs hear of.
  put(PREVIOUS, state.previous);
  put(TOKEN, state.token);
  for (const listener of listeners) listener();
}

function put(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else if (localStorage.getItem(key) !== value) localStorage.setItem(key, value);
}

// Another tab signed in, out or renewed: this one follows.
addEventListener('storage', (event) => {
  if (event.key !== TOKEN || event.newValue === state.token) return;
  const previous = read(PREVIOUS);
  const isRenewed = state.token && event.newValue && previous === state.previous;
  const identity = isRenewed ? state.identity : another();
  set({ token: event.newValue, previous, identity, reason: event.newValue ? null : 'signedOut' });
});

const another = () => state.identity + 1;

/** Who is signed in. The token lives in local storage; nothing else about the person is kept there. */
export const session = {
  get: (): SessionState => state,
  token: (): string | null => state.token,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  start: (token: string) => set({ token, previous: null, identity: another(), reason: null }),
  /** The same person with a later end. */
  renew: (token: string) => set({ token }),
  /** Look at the cabinet as another account; `back` returns. */
  actAs: (token: string) =>
    set({ token, previous: state.token, identity: another(), reason: null }),
  back: () => set({ token: state.previous, previous: null, identity: another(), reason: null }),
  end: (reason: EndReason) => set({ token: null, previous: null, identity: another(), reason }),
};
