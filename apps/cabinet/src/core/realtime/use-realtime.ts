import { useEffect } from 'react';
import { fetched } from '../lost-chunk.ts';
import { useSession } from '../session/use-session.ts';

const whenIdle = (run: () => void) =>
  'requestIdleCallback' in window
    ? requestIdleCallback(run, { timeout: 2000 })
    : setTimeout(run, 300);

/** One socket per identity while the shell is mounted. Its code is loaded after the first paint. */
export function useRealtime(): void {
  const { identity, token } = useSession();
  const signedIn = !!token;
  useEffect(() => {
    if (!signedIn) return;
    let close: (() => void) | undefined;
    let left = false;
    whenIdle(async () => {
      const { connect } = await fetched(() => import('./connect.ts'));
      if (!left) close = connect();
    });
    return () => {
      left = true;
      close?.();
    };
  }, [identity, signedIn]);
}
