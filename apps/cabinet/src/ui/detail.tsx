import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { Noun } from '../core/query-keys.ts';
import { usePolling } from '../core/realtime/live.ts';
import { useLast } from '../core/use-last.ts';
import { useParam } from '../core/use-param.ts';
import { DetailsSkeleton } from './details-skeleton.tsx';
import { ErrorCard } from './error-card.tsx';

/** The thing that `?id=` names, kept fresh like the list behind it. */
export function useDetail<T>(query: (id: string) => UseQueryOptions<T, Error, T, string[]>) {
  const [id, setId] = useParam('id');
  const shownId = useLast(id);
  const options = query(shownId ?? '');
  const refetchInterval = usePolling(options.queryKey[0] as Noun);
  const { data, error, refetch } = useQuery({
    ...options,
    enabled: !!id,
    refetchInterval,
  });
  return {
    id,
    /** Also while it is closing. */
    shownId,
    setId,
    data,
    error,
    refetch,
    /** For the `Dialog` or `Sheet` around it. */
    frame: { opened: !!id, onClose: () => setId(null) },
  };
}

interface DetailBodyProps<T> {
  detail: Pick<ReturnType<typeof useDetail<T>>, 'data' | 'error' | 'refetch'> & {
    shownId?: string | null;
  };
  /** Says that it could not be read. */
  failed: string;
  children: (row: T) => ReactNode;
}

export function DetailBody<T>({ detail, failed, children }: DetailBodyProps<T>) {
  const { shownId, data, error, refetch } = detail;
  // What was typed or opened for one is not for another, which the browser's Back may lead to.
  if (data) return <Fragment key={shownId}>{children(data)}</Fragment>;
  if (!error) return <DetailsSkeleton />;
  return <ErrorCard title={failed} error={error} onRetry={() => void refetch()} />;
}
