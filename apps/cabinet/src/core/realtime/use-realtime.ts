import { useEffect } from 'react';
import { fetched } from '../lost-chunk.ts';
import { useSession } from '../session/use-session.ts';
import { whenIdle } from '../when-idle.ts';

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
