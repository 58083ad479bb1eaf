import { useQuery } from '@tanstack/react-query';
import { useLast } from '../core/use-last.ts';
import type { FindEndpoint, ListSpec, RowOf } from './list-spec.ts';
import { findQuery, type List } from './use-list.ts';

/**
 * The row with this id: of the page that is shown, or asked for by itself when it is on another one. It stays while
 * new rows push it off. For lists that filter by `id` and have no entity of their own to ask for.
 */
export function useRow<E extends FindEndpoint>(
  spec: ListSpec<E>,
  list: List<RowOf<E>>,
  id: string | null,
  fixed?: Record<string, unknown>,
): RowOf<E> | null {
  const listed = list.rows.find((row) => row.id === id);
  const { data } = useQuery({
    ...findQuery(spec, {
      limit: 1,
      order: [],
      filter: { ...fixed, id },
    }),
    enabled: !!id && !listed && !list.loading,
  });
  const found = listed ?? data?.data.find((row) => row.id === id);
  const last = useLast(found);
  return found ?? (last?.id === id ? (last ?? null) : null);
}
