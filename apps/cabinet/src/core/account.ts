import { billings, users } from '@heliograph/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';
import { usePolling } from './realtime/live.ts';
import { useCan } from './settings.ts';

export const meQuery = queryOptions({
  queryKey: keysOf('users').me,
  queryFn: ({ signal }) => api(users.me, { signal }),
  staleTime: 5 * 60_000,
});

export const balanceQuery = (ownerId: string) =>
  queryOptions({
    queryKey: keysOf('billings').of('balance', ownerId),
    queryFn: ({ signal }) => api(billings.balance, { params: { id: ownerId }, signal }),
  });

export function useBalance() {
  const can = useCan();
  const { data: me } = useQuery(meQuery);
  const refetchInterval = usePolling('billings');
  return useQuery({
    ...balanceQuery(me?.OwnerId ?? ''),
    enabled: !!me && can('billings.find'),
    refetchInterval,
  });
}
