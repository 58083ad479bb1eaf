import { lazy, Suspense, useEffect, useId } from 'react';
import { fetched } from '../lost-chunk.ts';
import { useSameSession } from '../session/use-session.ts';
import { LeaveBlocker } from './leave-blocker.tsx';
import { isOnTop } from './on-top.ts';

const LeaveQuestion = lazy(async () => ({
  default: await fetched(async () => (await import('./leave-question.tsx')).LeaveQuestion),
}));

/**
 * Asks before another page, the browser's Back or a closed tab takes unsaved changes away. A change of the query alone
 * opens and closes dialogs, which ask themselves.
 */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const id = useId();
  const isSameSession = useSameSession();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isSameSession() && isDirty()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty, isSameSession]);
  return (
    <LeaveBlocker
      asks={({ currentLocation, nextLocation, historyAction }) =>
        isSameSession() &&
        isDirty() &&
        (historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname)
      }
    >
      {(blocker) => (
        <Suspense>
          <LeaveQuestion
            id={id}
            opened={blocker.state === 'blocked'}
            onStay={() => isOnTop(id) && blocker.reset?.()}
            onDiscard={() => blocker.proceed?.()}
          />
        </Suspense>
      )}
    </LeaveBlocker>
  );
}
