import {
  conversations,
  type Conversation,
  type ConversationMessage,
  type Sending,
} from '@heliograph/contract';
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { applyResponse } from '../../../core/realtime/apply-response.ts';
import { usePolling } from '../../../core/realtime/live.ts';
import { fresher } from '../../../core/realtime/merge.ts';
import { useSocketEvent } from '../../../core/realtime/socket-events.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('conversations').get(id),
    queryFn: ({ signal }) => api(conversations.get, { params: { id }, signal }),
  });

const threadQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keysOf('conversations').of('messages', id),
    queryFn: ({ signal, pageParam }) => {
      const query = pageParam ? { cursor: pageParam } : {};
      return api(conversations.messages, { params: { id }, query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.hasMore ? last.data.at(-1)?.id : undefined),
  });

type Thread = InfiniteData<{ data: ConversationMessage[]; hasMore: boolean }>;

/** Newer states of sent messages that the thread shows; the same thread when it shows none of them. */
export function withStates(thread: Thread, sendings: Sending[]): Thread {
  const newer = new Map(sendings.map((sending) => [sending.id, sending]));
  const isShown = thread.pages.some(({ data }) => data.some(({ id }) => newer.has(id)));
  if (!isShown) return thread;
  const merged = ({ sending, ...message }: ConversationMessage) => {
    const state = newer.get(message.id);
    return { ...message, sending: sending && state ? fresher(sending, state) : sending };
  };
  return {
    ...thread,
    pages: thread.pages.map((page) => ({ ...page, data: page.data.map(merged) })),
  };
}

/** The messages of a conversation, the oldest first, kept up to date by the socket. */
export function useThread({ id, address }: Conversation) {
  const client = useQueryClient();
  const query = threadQuery(id);
  const refetchInterval = usePolling('conversations');
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({ ...query, refetchInterval });
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey });
  useSocketEvent('conversations.updated', (body) => {
    if (!('items' in body) || body.items.some((item) => item.id === id)) refresh();
  });
  // Of bulks and other programs.
  useSocketEvent('sendings.created', (body) => {
    if (!('items' in body) || body.items.some(({ recipient }) => recipient === address)) refresh();
  });
  useSocketEvent('sendings.updated', (body) => {
    if (!('items' in body)) return refresh();
    client.setQueryData(query.queryKey, (old) => old && withStates(old, body.items));
  });
  return {
    messages: data?.pages.flatMap((page) => page.data).toReversed(),
    error,
    isPending,
    retry: () => void refetch(),
    hasEarlier: hasNextPage,
    isLoadingEarlier: isFetchingNextPage,
    loadEarlier: () => void fetchNextPage(),
  };
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
