import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { session } from '../../../core/session/session.ts';
import { later } from '../../../ui/later.tsx';

const LeaveQuestion = later(async () => (await import('./leave-question.tsx')).LeaveQuestion);

interface LeaveGuardProps {
  /** There is something to lose. */
  isActive: () => boolean;
  /** It is kept in this browser. */
  isKept: boolean;
  onDiscard: () => void;
}

const isHere = (pathname: string) => pathname === '/send' || pathname.startsWith('/send/');

/** Asks before unfinished work is left. */
export function LeaveGuard({ isActive, isKept, onDiscard }: LeaveGuardProps) {
  // A session that has ended is not asked.
  const blocker = useBlocker(
    ({ nextLocation }) => isActive() && !!session.token() && !isHere(nextLocation.pathname),
  );
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isActive()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive, isKept]);
  return (
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
  );
}
