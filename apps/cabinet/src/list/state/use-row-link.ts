import { useCallback } from 'react';
import { useSearchParams, type To } from 'react-router';

/** The current URL with `?id=` of a row. Opening a row does not change the function, so rows are not drawn again. */
export function useRowLink(): (row: { id: string }) => To {
  const [params] = useSearchParams();
  const others = new URLSearchParams(params);
  others.delete('id');
  const rest = others.toString();
  return useCallback(
    ({ id }) => {
      const search = new URLSearchParams(rest);
      search.set('id', id);
      return { search: search.toString() };
    },
    [rest],
  );
}
