import { ApiError } from '@heliograph/contract';
import { useCallback, useEffect, useState } from 'react';
import { retryAt } from '../../core/errors.ts';
import { useCountdown } from '../../core/use-countdown.ts';

/** Of the key in a link of an e-mail: it is checked first, then used, once. */
export type KeyStage = 'checking' | 'invalid' | 'valid' | 'done';

/** The key of a link, checked when its page opens, and what it is for. `check` keeps its identity. */
export function useEmailLink<T>(check: () => Promise<T>) {
  const [stage, setStage] = useState<KeyStage>('checking');
  const [found, setFound] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [retryTime, setRetryTime] = useState(0);
  const wait = useCountdown(retryTime);
  const [isPending, setPending] = useState(false);

  /** Runs a call with the key and goes to the next stage. A key that the server does not know is invalid. */
  const run = useCallback(async (call: () => Promise<T>, next: KeyStage): Promise<void> => {
    setPending(true);
    setError(null);
    try {
      setFound(await call());
      setStage(next);
    } catch (caught) {
      if (caught instanceof ApiError && caught.status === 404) return setStage('invalid');
      setError(caught);
      setRetryTime(retryAt(caught, Date.now()));
    } finally {
      setPending(false);
    }
  }, []);
  const start = useCallback(() => run(check, 'valid'), [run, check]);
  useEffect(() => void start(), [start]);
  return { stage, setStage, found, error, wait, isPending, start, run };
}

export type EmailLink = Omit<ReturnType<typeof useEmailLink>, 'run' | 'found'>;
