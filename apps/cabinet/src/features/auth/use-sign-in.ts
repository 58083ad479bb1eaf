import { ApiError } from '@heliograph/contract';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { rateLimitOf, retryAt, type RateLimit } from '../../core/errors.ts';
import { localPath } from '../../core/local-path.ts';
import { fetched } from '../../core/lost-chunk.ts';

const load = () => fetched(() => import('./sign-in.ts'), false);

export interface SignIn {
  busy: boolean;
  error: unknown;
  /** The last count of attempts that the server has told. */
  limit: RateLimit | null;
  /** No more attempts until then; 0 while there are any. */
  blockedUntil: number;
  /** Fetches what the deed needs, while the visitor types. */
  prepare: () => void;
  submit: (username: string, password: string) => Promise<void>;
}

export function useSignIn(): SignIn {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [limit, setLimit] = useState<RateLimit | null>(null);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const submit = async (username: string, password: string): Promise<void> => {
    setBusy(true);
    setError(null);
    setBlockedUntil(0);
    try {
      await (await load()).signIn({ username: username.trim(), password });
      await navigate(localPath(params.get('to')), { replace: true });
    } catch (caught) {
      setError(caught);
      if (caught instanceof ApiError) setLimit(rateLimitOf(caught.headers));
      setBlockedUntil(retryAt(caught, Date.now()));
    } finally {
      setBusy(false);
    }
  };
  return {
    prepare: () => void load().catch(() => undefined),
    busy,
    error,
    limit,
    blockedUntil,
    submit,
  };
}
