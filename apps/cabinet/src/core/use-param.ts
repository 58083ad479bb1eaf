import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** One parameter of the URL, for example of a drawer. Setting it keeps the other parameters; null removes it. */
export function useParam(name: string) {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string | null, options?: { replace?: boolean }) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      }, options),
    [name, setParams],
  );
  return [params.get(name), set] as const;
}
