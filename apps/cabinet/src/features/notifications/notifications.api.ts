import { notifications } from '@heliograph/contract';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import type { ListRequest } from '../../core/list-request.ts';
import { queryClient } from '../../core/query.ts';
import { useSocketEvent } from '../../core/realtime/socket-events.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { applyResponse } from '../../core/realtime/apply-response.ts';
import { throttleByKey } from '../../core/realtime/throttle.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { findQuery } from '../../list/state/use-list.ts';

/** Without the filters of the page, whose types and channels the shell does not need. */
const all = { endpoint: notifications.find, resource: 'notifications' } as const;

/** Of the cabinet itself: the popup, toasts and the number of unread ones. */
export const WEB = { channel: 'web' };

const newest = (limit: number, filter: ListRequest['filter']): ListRequest => ({
  limit,
  order: [{ field: 'createdAt', direction: 'desc' }],
  filter: { ...WEB, ...filter },
});

/** The last ten, for the popup. */
export const latestQuery = queryOptions(findQuery(all, newest(10, {})));

const unreadQuery = queryOptions(findQuery(all, newest(1, { isRead: 'false' })));

/** The number of unread notifications cannot be derived from one event: it is refetched, once for many events. */
const recount = throttleByKey(
  () => void queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }),
  1000,
);

export function useUnread(enabled: boolean): number {
  const refetchInterval = usePolling('notifications');
  const { data } = useQuery({ ...unreadQuery, enabled, refetchInterval });
  useSocketEvent('notifications.read', () => recount('unread'));
  return data?.total ?? 0;
}

/** The response is merged into every cached list. */
export async function markRead(id: string): Promise<void> {
  const row = await api(notifications.read, { params: { id } });
  applyResponse('notifications', row);
  recount('unread');
}

/** A failure is silent: the notification stays unread, as it shows. */
export const useMarkRead = () => useMutation({ mutationFn: markRead, meta: { showsErrors: true } });

export const useMarkAllRead = () =>
  useMutationOnce({
    mutationFn: () => api(notifications.readAll),
    meta: { invalidates: ['notifications'] },
  });
