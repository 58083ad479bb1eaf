import { useEffect } from 'react';
import { LeaveBlocker } from '../../../core/forms/leave-blocker.tsx';
import { useSameSession } from '../../../core/session/use-session.ts';
import { later } from '../../../ui/later.tsx';

const LeaveQuestion = later(async () => (await import('./leave-question.tsx')).LeaveQuestion);

interface LeaveGuardProps {
  /** There is something to lose. */
  isActive: () => boolean;
  /** It is kept in this browser. */
  isKept: boolean;
  /** Keeps it now; answers whether it is. */
  keep: () => boolean;
  onDiscard: () => void;
}

const isHere = (pathname: string) => pathname === '/send' || pathname.startsWith('/send/');

/** Asks before unfinished work is left that the browser cannot keep. */
export function LeaveGuard({ isActive, isKept, keep, onDiscard }: LeaveGuardProps) {
  const isSameSession = useSameSession();
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isSameSession() && isActive()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive, isKept, isSameSession]);
  return (
    <LeaveBlocker
      asks={({ nextLocation }) => {
        const isLeft = isActive() && isSameSession() && !isHere(nextLocation.pathname);
        return isLeft && !keep();
      }}
    >
      {(blocker) => (
        <LeaveQuestion
          opened={blocker.state === 'blocked'}
          onStay={() => blocker.reset?.()}
          onDiscard={() => {
            onDiscard();
            blocker.proceed?.();
          }}
        />
      )}
    </LeaveBlocker>
  );
}
