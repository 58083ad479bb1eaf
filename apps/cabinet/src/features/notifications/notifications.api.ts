import { notifications, NotificationType, type Notification } from '@heliograph/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import type { ListAsk } from '../../core/list-ask.ts';
import { queryClient } from '../../core/query.ts';
import { applyEvent } from '../../core/realtime/apply-event.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { listSpec, manyOf, oneOf } from '../../list/list-spec.ts';
import { findQuery } from '../../list/use-list.ts';

export const notificationSpec = listSpec(notifications.find, {
  filters: { type: manyOf(NotificationType.options), isRead: oneOf(['true', 'false']) },
  order: ['createdAt'],
  period: 'createdAt',
});

/** What the cabinet shows; other channels reach the person elsewhere. */
export const WEB = { channel: 'web' };

const ask = (limit: number, filter: ListAsk['filter']): ListAsk => ({
  offset: 0,
  limit,
  order: [{ field: 'createdAt', direction: 'desc' }],
  scope: [],
  filter: { ...WEB, ...filter },
});

/** The last ten, of which the popup tells. */
export const latestQuery = queryOptions(findQuery(notificationSpec, ask(10, {})));

export function useUnread(enabled: boolean): number {
  const refetchInterval = usePolling();
  const { data } = useQuery({
    ...findQuery(notificationSpec, ask(1, { isRead: 'false' })),
    enabled,
    refetchInterval,
  });
  return data?.total ?? 0;
}

/** The answer goes into every list that has it. */
function put(row: Notification): void {
  const event = { resource: 'notifications', change: 'updated' } as const;
  const stale = applyEvent(queryClient, event, { items: [row] } as never, Date.now());
  if (stale) void queryClient.invalidateQueries({ queryKey: ['notifications'] });
}

export async function markRead(id: string): Promise<void> {
  put(await api(notifications.read, { params: { id } }));
}

export function useMarkAllRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api(notifications.readAll),
    onSuccess: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  });
}
