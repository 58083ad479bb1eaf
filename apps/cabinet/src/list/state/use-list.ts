import type { Page } from '@heliograph/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../../core/api.ts';
import { toListQuery, type ListRequest } from '../../core/list-request.ts';
import { keysOf } from '../../core/query-keys.ts';
import { usePolling } from '../../core/realtime/live.ts';
import type { FindEndpoint, ListSpec, RowOf } from './list-spec.ts';
import { toListRequest } from './list-state.ts';
import type { ListControl } from './use-list-state.ts';

export interface List<T> {
  rows: T[];
  total: number;
  totalIsCapped: boolean;
  /** Nothing to show yet. */
  loading: boolean;
  fetching: boolean;
  error: unknown;
  retry: () => void;
  /** The request that the rows answer: the same while rows change by themselves. */
  requestKey: string;
}

export function findQuery<E extends FindEndpoint>(
  spec: Pick<ListSpec<E>, 'endpoint' | 'resource'>,
  request: ListRequest,
) {
  return queryOptions({
    queryKey: keysOf(spec.resource).find(request),
    queryFn: async ({ signal }) => {
      const endpoint: FindEndpoint = spec.endpoint;
      const query = toListQuery(request, Date.now());
      return (await api(endpoint, { query, signal })) as Page<RowOf<E>>;
    },
  });
}

const NONE: never[] = [];

/** The rows of a list's current state. The socket updates them; they are polled while there is none. */
export function useList<E extends FindEndpoint>(
  spec: ListSpec<E>,
  control: ListControl,
  fixed?: Record<string, unknown>,
): List<RowOf<E>> {
  const { state, set } = control;
  const request = useMemo(() => toListRequest(state, spec, fixed), [state, spec, fixed]);
  const refetchInterval = usePolling(spec.resource);
  const { data, isPending, isFetching, isPlaceholderData, error, refetch } = useQuery({
    ...findQuery(spec, request),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const rows = data?.data ?? NONE;

  // The rows of the page may have been removed, or a shared link may point beyond the last page.
  const beyond = !isFetching && !!data && rows.length === 0 && state.page > 1;
  useEffect(() => {
    if (beyond) set({ page: 1 }, { replace: true });
  }, [beyond, set]);

  return {
    rows,
    total: data?.total ?? 0,
    totalIsCapped: data?.totalIsCapped ?? false,
    loading: isPending && !error,
    fetching: isFetching,
    error,
    retry: () => void refetch(),
    requestKey: isPlaceholderData ? 'previous' : JSON.stringify(request),
  };
}
