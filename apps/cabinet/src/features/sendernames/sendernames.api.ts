import {
  Moderation,
  sendernames,
  SendernameType,
  type SendernameInput,
  type SendernameModeration,
  type SendernameUpdate,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { useChange } from '../../core/use-change.ts';
import { listSpec, manyOf, text } from '../../list/list-spec.ts';
import { findQuery } from '../../list/use-list.ts';

export const sendernameSpec = listSpec(sendernames.find, {
  filters: {
    type: manyOf(SendernameType.options),
    moderation: manyOf(Moderation.options),
    OwnerId: text,
  },
  order: ['createdAt', 'name', 'updatedAt'],
  search: true,
});

export const sendernameQuery = (id: string) =>
  queryOptions({
    queryKey: ['sendernames', 'get', id],
    queryFn: ({ signal }) => api(sendernames.get, { params: { id }, query: {}, signal }),
  });

/** What waits for a decision, the longest first. */
export const pendingQuery = findQuery(sendernameSpec, {
  limit: 100,
  order: [{ field: 'createdAt', direction: 'asc' }],
  filter: { moderation: ['pending'] },
});

export type SendernameDraft = z.input<typeof SendernameInput>;

export const useCreateSendername = () =>
  useChange(['sendernames'], (body: SendernameDraft) => api(sendernames.create, { body }));

/** Name and type stay as they were registered. */
export const useUpdateSendername = (id: string) =>
  useChange(['sendernames'], (body: z.input<typeof SendernameUpdate>) =>
    api(sendernames.update, { params: { id }, body }),
  );

export const useRemoveSendername = () =>
  useChange(['sendernames'], (id: string) => api(sendernames.remove, { params: { id } }), false);

export const useModerate = (id: string) =>
  useChange(['sendernames'], (body: z.input<typeof SendernameModeration>) =>
    api(sendernames.moderate, { params: { id }, body }),
  );
