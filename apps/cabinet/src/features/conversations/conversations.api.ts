import {
  ConversationAssigned,
  ConversationState,
  conversations,
  SendingType,
} from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, manyOf, oneOf, text } from '../../list/state/list-spec.ts';

export const conversationSpec = listSpec(conversations.find, {
  filters: {
    state: manyOf(ConversationState.options),
    type: manyOf(SendingType.options),
    assigned: oneOf(ConversationAssigned.options),
    OwnerId: text,
  },
  order: ['lastMessageAt'],
  search: true,
});

/** A call marks a portion of them. */
export const useMarkAllRead = () =>
  useMutationOnce({
    mutationFn: async () => {
      while ((await api(conversations.readAll)).hasMore);
    },
    meta: { invalidates: ['conversations'], isInSteps: true },
  });
