import { useCallback, useState, useSyncExternalStore } from 'react';
import { session, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get);
}

/**
 * Whether the session is still that in which the component was mounted. What was typed cannot be saved in another one, so
 * it is no reason to stay on a page that another account is about to leave.
 */
export function useSameSession(): () => boolean {
  const [identity] = useState(() => session.get().identity);
  return useCallback(() => !!session.token() && session.get().identity === identity, [identity]);
}
