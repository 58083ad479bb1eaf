import {
  SYSTEM_MESSAGE_TYPES,
  systemMessages,
  type SystemMessageInput,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, oneOf } from '../../list/state/list-spec.ts';

export const systemMessageSpec = listSpec(systemMessages.find, {
  filters: { type: oneOf(SYSTEM_MESSAGE_TYPES) },
  order: ['createdAt'],
  ...ACCOUNT_SIZES,
});

export const systemMessageQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('systemMessages').get(id),
    queryFn: ({ signal }) => api(systemMessages.get, { params: { id }, signal }),
  });

export const useSendSystemMessage = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof SystemMessageInput>) => api(systemMessages.create, { body }),
    meta: { invalidates: ['systemMessages', 'notifications'], showsErrors: true },
  });
