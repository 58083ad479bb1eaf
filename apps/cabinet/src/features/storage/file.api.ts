import { storage } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';

/** One file, without the calls of the list: pages that show a file load this alone. */
export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('storage').get(id),
    queryFn: ({ signal }) =>
      api(storage.get, { params: { id }, query: { return: 'meta' }, signal }),
    staleTime: 60_000,
  });
