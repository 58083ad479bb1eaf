import { ApiError } from '@heliograph/contract';
import { useCallback, useEffect, useState } from 'react';
import { retryAt } from '../../core/errors.ts';
import { fetched } from '../../core/lost-chunk.ts';
import type { Confirmation } from './confirm.ts';
import type { KeyStage } from './letter-key-page.tsx';

const load = (waits: boolean) => fetched(() => import('./confirm.ts'), waits);

const NOTHING: Confirmation = { username: '', email: '' };

/** The key of a letter, which is checked first, and the address that is confirmed with it. */
export function useConfirmation(key: string) {
  const [stage, setStage] = useState<KeyStage>('checking');
  const [of, setOf] = useState(NOTHING);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const run = useCallback(
    async (waits: boolean, what: 'confirmationOf' | 'confirm') => {
      setBusy(true);
      setError(null);
      try {
        setOf(await (await load(waits))[what](key));
        setStage(what === 'confirm' ? 'done' : 'valid');
      } catch (caught) {
        if (caught instanceof ApiError && caught.status === 404) return setStage('invalid');
        setError(caught);
        setBlockedUntil(retryAt(caught, Date.now()));
      } finally {
        setBusy(false);
      }
    },
    [key],
  );
  const check = useCallback(() => run(true, 'confirmationOf'), [run]);
  useEffect(() => void check(), [check]);
  const confirm = () => run(false, 'confirm');
  return { stage, ...of, error, busy, blockedUntil, check, confirm };
}
