import { browserStorage, tabStorage } from '../browser-storage.ts';
import { clockErrorOf, isSamePerson, phaseOf } from './session-time.ts';

const TOKEN = 'heliograph.token';
const PREVIOUS = 'heliograph.previousToken';
/** How far the clock of this device is ahead, where it is wrong. */
const CLOCK_ERROR = 'heliograph.clockError';

/** `returned`: from another account to the own one. */
export type EndReason = 'signedOut' | 'expired' | 'returned';

export interface SessionState {
  token: string | null;
  /** The account to return to after looking at another one. */
  previous: string | null;
  /** Grows whenever another identity begins, so that caches and sockets know. */
  identity: number;
  reason: EndReason | null;
  /** Started in another tab: this page must not continue with it by itself. */
  isFromElsewhere: boolean;
}

/** The time of the server: tokens end by it, whatever the clock of the device says. */
const now = (): number => Date.now() - (Number(browserStorage.get(CLOCK_ERROR)) || 0);

/** Measures the clock by a token that has just been issued. */
function received(token: string): string {
  const error = clockErrorOf(token, Date.now());
  if (error !== null) put(CLOCK_ERROR, error ? String(error) : null);
  return token;
}

function read(key: string): string | null {
  const token = kept(key);
  return phaseOf(token, now()) === 'ended' ? null : token;
}

/** When a session as another account has expired, the user's own session is restored. */
function stored(): Pick<SessionState, 'token' | 'previous'> {
  const [token, previous] = [read(TOKEN), read(PREVIOUS)];
  return token ? { token, previous } : { token: previous, previous: null };
}

let state: SessionState = { ...stored(), identity: 0, reason: null, isFromElsewhere: false };
const listeners = new Set<() => void>();

function adopt(next: Partial<SessionState>): void {
  state = { ...state, isFromElsewhere: false, ...next };
  for (const listener of listeners) listener();
}

function set(next: Partial<SessionState>): void {
  const { token, previous } = { ...state, ...next };
  // The token last: other tabs react to its change.
  put(PREVIOUS, previous);
  put(TOKEN, token);
  adopt(next);
}

/** Where the storage of the browser is full, the session is this tab's; where there is none, it ends with the page. */
function kept(key: string): string | null {
  return browserStorage.get(key) ?? tabStorage.get(key);
}

function put(key: string, value: string | null): void {
  if (kept(key) === value) return;
  const isWritten = browserStorage.set(key, value);
  tabStorage.set(key, isWritten ? null : value);
}

/**
 * Another tab signed in, out or renewed: this one follows what is stored now. The event may be old: a tab that was frozen
 * gets all of them when it wakes, and writing an old token back would end the session of the others.
 */
function follow(): void {
  const token = kept(TOKEN);
  const previous = read(PREVIOUS);
  const isSameOwn = previous === state.previous || isSamePerson(previous, state.previous);
  if (token === state.token) {
    // The own session was renewed behind a borrowed one. Otherwise the token is about to change as well.
    if (isSameOwn && previous !== state.previous) adopt({ previous });
    return;
  }
  const isRenewed = isSameOwn && isSamePerson(token, state.token);
  const identity = isRenewed ? state.identity : another();
  const isOver = phaseOf(state.token, now()) === 'ended';
  const reason = token ? null : isOver ? 'expired' : 'signedOut';
  adopt({ token, previous, identity, reason, isFromElsewhere: true });
}
// Without a key all of the storage was cleared.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === TOKEN || key === PREVIOUS || key === null) follow();
});

const another = () => state.identity + 1;

function back(): void {
  set({ token: state.previous, previous: null, identity: another(), reason: 'returned' });
}

function close(reason: EndReason): void {
  put(CLOCK_ERROR, null);
  set({ token: null, previous: null, identity: another(), reason });
}

/** The session. The token is in local storage; nothing else about the user is stored there. `now` is the time of the server. */
export const session = {
  get: (): SessionState => state,
  token: (): string | null => state.token,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now,
  /** Whether another page of this tab finds it: not where the browser has no storage. */
  isKept: (): boolean => browserStorage.isKept(TOKEN) || tabStorage.isKept(TOKEN),
  start: (token: string) =>
    set({ token: received(token), previous: null, identity: another(), reason: null }),
  /** Follows another tab before the event of its change arrives. */
  sync: follow,
  /** The same user with a later expiry. */
  renew: (token: string) => set({ token: received(token) }),
  /** The same for the account to return to. */
  renewOwn: (token: string) => set({ previous: received(token) }),
  /** Look at the cabinet as another account; `back` returns. */
  actAs: (token: string) =>
    set({
      token: received(token),
      previous: state.token,
      identity: another(),
      reason: null,
    }),
  back,
  /** Ends an impersonated session and returns to the own one, if that is still valid. */
  end(reason: EndReason): void {
    const phase = phaseOf(state.previous, now());
    if (phase === 'active' || phase === 'ending') back();
    else close(reason);
  },
};
