import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
    setId,
    data,
    error,
    refetch,
    /** For the `Dialog` or `Sheet` around it. */
    frame: { opened: !!id, onClose: () => setId(null) },
  };
}

interface DetailBodyProps<T> {
  detail: Pick<ReturnType<typeof useDetail<T>>, 'data' | 'error' | 'refetch'>;
  /** Says that it could not be read. */
  failed: string;
  children: (row: T) => ReactNode;
}

export function DetailBody<T>({ detail, failed, children }: DetailBodyProps<T>) {
  const { data, error, refetch } = detail;
  if (data) return children(data);
  if (!error) return <DetailsSkeleton />;
  return <ErrorCard title={failed} error={error} onRetry={() => void refetch()} />;
}
