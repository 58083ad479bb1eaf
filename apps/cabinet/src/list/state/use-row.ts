import { useQuery } from '@tanstack/react-query';
import { useLast } from '../../core/use-last.ts';
import type { FindEndpoint, ListSpec, RowOf } from './list-spec.ts';
import { findQuery, type List } from './use-list.ts';

/**
 * The row with this id: from the page that is shown, else fetched by an `id` filter. It stays when new rows push it off
 * the page. For nouns without a `get` endpoint.
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
