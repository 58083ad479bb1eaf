import {
  ConversationAssigned,
  ConversationState,
  conversations,
  SendingType,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, manyOf, oneOf, text } from '../../list/state/list-spec.ts';

export const conversationSpec = listSpec(conversations.find, {
  filters: {
    state: manyOf(ConversationState.options),
    type: manyOf(SendingType.options),
    assigned: oneOf(ConversationAssigned.options),
    label: text,
    OwnerId: text,
  },
  order: ['lastMessageAt'],
  search: true,
});

/** The labels that the conversations of an account have. */
export const labelsQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('conversations').of('labels', OwnerId),
    queryFn: ({ signal }) => api(conversations.labels, { query: { OwnerId }, signal }),
  });

/** A call marks a portion of them. */
export const useMarkAllRead = () =>
  useMutationOnce({
    mutationFn: async () => {
      while ((await api(conversations.readAll)).hasMore);
    },
    meta: { invalidates: ['conversations'], isInSteps: true },
  });
