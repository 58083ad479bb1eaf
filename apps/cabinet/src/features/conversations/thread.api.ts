import {
  conversations,
  type Conversation,
  type ConversationMessage,
  type Sending,
} from '@heliograph/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { applyResponse } from '../../core/realtime/apply-response.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { fresher } from '../../core/realtime/merge.ts';
import { useSocketEvent } from '../../core/realtime/socket-events.ts';
import { throttleByKey } from '../../core/realtime/throttle.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

export const conversationQuery = rowQuery('conversations', conversations.get);

/** Newest first. */
export interface Thread {
  data: ConversationMessage[];
  hasMore: boolean;
}

const pageOf = (id: string, query: { cursor?: string }, signal?: AbortSignal): Promise<Thread> =>
  api(conversations.messages, { params: { id }, query: { ...query, notes: 'true' }, signal });

/** The newest page and what was loaded before it; that page alone when messages between them are missing. */
export function joined(old: Thread | undefined, page: Thread): Thread {
  if (!old) return page;
  const shown = new Map(old.data.map(({ id, sending }) => [id, sending]));
  // The socket may have brought a newer state while the page was on its way.
  const data = page.data.map((message) => {
    const [state, next] = [shown.get(message.id), message.sending];
    return state && next && state.updatedAt > next.updatedAt
      ? { ...message, sending: { ...next, ...state } }
      : message;
  });
  const oldest = data.at(-1)?.id;
  const at = old.data.findIndex(({ id }) => id === oldest);
  return at < 0
    ? { ...page, data }
    : { data: [...data, ...old.data.slice(at + 1)], hasMore: old.hasMore };
}

/** Newer states of sent messages that the thread shows; the same thread when it shows none of them. */
export function withStates(thread: Thread, sendings: Sending[]): Thread {
  const newer = new Map(sendings.map((sending) => [sending.id, sending]));
  if (!thread.data.some(({ id }) => newer.has(id))) return thread;
  const data = thread.data.map((message) => {
    const state = newer.get(message.id);
    const { sending } = message;
    return sending && state ? { ...message, sending: fresher(sending, state) } : message;
  });
  return { ...thread, data };
}

const REFETCH_MS = 2000;

/** The messages of a conversation, the oldest first, kept up to date by the socket. */
export function useThread({ id, address }: Conversation) {
  const client = useQueryClient();
  const queryKey = keysOf('conversations').of('messages', id);
  const refetchInterval = usePolling('conversations');
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await pageOf(id, {}, signal);
      return joined(client.getQueryData<Thread>(queryKey), page);
    },
    refetchInterval,
  });
  const earlier = useMutationOnce({
    mutationFn: (cursor: string) => pageOf(id, { cursor }),
    onSuccess: (page, cursor) =>
      client.setQueryData<Thread>(queryKey, (old) =>
        old?.data.at(-1)?.id === cursor ? { ...page, data: [...old.data, ...page.data] } : old,
      ),
  });
  // A bulk sends an event every quarter of a second, and each refetch would cancel the one before.
  const refetchThread = useMemo(
    () =>
      throttleByKey(
        (of: string) =>
          void client.invalidateQueries({ queryKey: keysOf('conversations').of('messages', of) }),
        REFETCH_MS,
      ),
    [client],
  );
  const refresh = () => refetchThread(id);
  useSocketEvent('conversations.updated', (body) => {
    if (!('items' in body) || body.items.some((item) => item.id === id)) refresh();
  });
  // Of bulks and other programs.
  useSocketEvent('sendings.created', (body) => {
    if (!('items' in body) || body.items.some(({ recipient }) => recipient === address)) refresh();
  });
  useSocketEvent('sendings.updated', (body) => {
    // One whose fetch failed may lack what other events said.
    if (!('items' in body) || client.getQueryState(queryKey)?.isInvalidated) return refresh();
    client.setQueryData<Thread>(queryKey, (old) => old && withStates(old, body.items));
  });
  return {
    messages: data?.data.toReversed(),
    error,
    isPending,
    retry: () => void refetch(),
    hasEarlier: data?.hasMore ?? false,
    isLoadingEarlier: earlier.isPending,
    loadEarlier: () => data && earlier.mutate(data.data.at(-1)!.id),
  };
}

/** Those of an account: the list is the same for all of its conversations. Members are users, whose events refresh it. */
export const assigneesQuery = ({ id, OwnerId }: Conversation) =>
  queryOptions({
    queryKey: keysOf('users').of('assignees', OwnerId),
    queryFn: ({ signal }) => api(conversations.assignees, { params: { id }, signal }),
  });

export const useAssign = (id: string) =>
  useMutationOnce({
    mutationFn: (AssigneeId: string | null) =>
      api(conversations.assign, { params: { id }, body: { AssigneeId } }),
    onSuccess: (row) => applyResponse('conversations', row),
  });

/** One after the other, as each call names all labels. */
export const useLabel = (id: string) =>
  useMutationOnce({
    mutationFn: (labels: string[]) =>
      api(conversations.label, { params: { id }, body: { labels } }),
    onSuccess: (row) => applyResponse('conversations', row),
    scope: { id: `labels ${id}` },
  });

/** The thread has it no longer at once, also where it was loaded as an earlier one. */
export function useRemoveNote(id: string) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: (noteId: string) => api(conversations.removeNote, { params: { id, noteId } }),
    onSuccess: (_, noteId) =>
      client.setQueryData<Thread>(
        keysOf('conversations').of('messages', id),
        (old) => old && { ...old, data: old.data.filter((message) => message.id !== noteId) },
      ),
    meta: { invalidates: ['conversations'] },
  });
}

const useChange = (endpoint: typeof conversations.close) =>
  useMutationOnce({
    mutationFn: (id: string) => api(endpoint, { params: { id } }),
    onSuccess: (row) => applyResponse('conversations', row),
  });
export const useClose = () => useChange(conversations.close);
export const useReopen = () => useChange(conversations.reopen);

/** A failure is silent: the messages stay unread, as it shows. */
export async function markRead(id: string, messageId: string): Promise<void> {
  const row = await api(conversations.read, { params: { id }, body: { messageId } });
  applyResponse('conversations', row);
}
