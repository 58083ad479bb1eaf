import { useEffect } from 'react';
import { LeaveBlocker } from '../../../../core/forms/leave-blocker.tsx';
import { useSameSession } from '../../../../core/session/use-session.ts';
import { later } from '../../../../ui/later.tsx';

const LeaveQuestion = later(async () => (await import('./leave-question.tsx')).LeaveQuestion);

interface LeaveGuardProps {
  /** There is something to lose. */
  isActive: () => boolean;
  /** It is kept in this browser. */
  isKept: boolean;
  /** The last moment to keep it before the question names what is lost. */
  onAsk: () => void;
  onDiscard: () => void;
}

const isHere = (pathname: string) => pathname === '/send' || pathname.startsWith('/send/');

/** Asks before unfinished work is left. */
export function LeaveGuard({ isActive, isKept, onAsk, onDiscard }: LeaveGuardProps) {
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
        const asks = isActive() && isSameSession() && !isHere(nextLocation.pathname);
        if (asks) onAsk();
        return asks;
      }}
    >
      {(blocker) => (
        <LeaveQuestion
          opened={blocker.state === 'blocked'}
          isKept={isKept}
          onStay={() => blocker.reset?.()}
          onDiscard={() => {
            onDiscard();
            blocker.proceed?.();
          }}
          onLeave={() => blocker.proceed?.()}
        />
      )}
    </LeaveBlocker>
  );
}
