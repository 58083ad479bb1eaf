import {
  WEBHOOK_STATES,
  webhooks,
  type DeliveryState,
  type WebhookInput,
} from '@heliograph/contract';
import { WEBHOOK_EVENT_NAMES } from '@heliograph/domain';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';
import { actOnRow, changeRow, rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf } from '../../list/state/list-spec.ts';

export const webhookSpec = listSpec(webhooks.find, {
  filters: { event: manyOf(WEBHOOK_EVENT_NAMES), state: manyOf(WEBHOOK_STATES) },
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const webhookQuery = rowQuery('webhooks', webhooks.get);

/** The newest ones, for a short list beside others. */
export const latestWebhooksQuery = queryOptions({
  queryKey: keysOf('webhooks').of('latest'),
  queryFn: ({ signal }) => api(webhooks.find, { query: { limit: 5 }, signal }),
});

export const DELIVERIES_PER_PAGE = 20;
const LIVE_MS = 3000;

export interface DeliveryFilter {
  state: DeliveryState | null;
  key: string;
  page: number;
}

/** The log of a webhook, which changes without events. */
export const deliveriesQuery = (id: string, { state, key, page }: DeliveryFilter) =>
  queryOptions({
    queryKey: keysOf('webhooks').of('deliveries', id, state, key, page),
    queryFn: ({ signal }) =>
      api(webhooks.deliveries, {
        params: { id },
        query: {
          filter: { ...(state && { state }), ...(key && { key }) },
          offset: (page - 1) * DELIVERIES_PER_PAGE,
          limit: DELIVERIES_PER_PAGE,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(LIVE_MS),
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: keysOf('webhooks').of('delivery', id, deliveryId),
    queryFn: ({ signal }) => api(webhooks.delivery, { params: { id, deliveryId }, signal }),
    refetchInterval: pollEvery(LIVE_MS),
  });

export type WebhookDraft = z.input<typeof WebhookInput>;
const changing = { invalidates: ['webhooks'], showsErrors: true } as const;
/** Answers with a secret are not kept after their dialog is gone. */
const unkept = { meta: changing, gcTime: 0 };

export const useCreateWebhook = () =>
  useMutationOnce({
    mutationFn: (body: WebhookDraft) => api(webhooks.create, { body }),
    ...unkept,
  });

export const useRotateWebhook = (id: string) =>
  useMutationOnce({
    mutationFn: (body: { overlapHours: number }) => api(webhooks.rotate, { params: { id }, body }),
    ...unkept,
  });

export const useUpdateWebhook = changeRow(webhooks.update, 'webhooks');

export const useSetState = () =>
  useMutationOnce({
    mutationFn: ({ id, state }: { id: string; state: 'active' | 'paused' }) =>
      api(webhooks.update, { params: { id }, body: { state } }),
    meta: { invalidates: ['webhooks'] },
  });

export const useTestWebhook = actOnRow(webhooks.test, 'webhooks');

export const useReplay = (id: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<NonNullable<typeof webhooks.replay.body>>) =>
      api(webhooks.replay, { params: { id }, body }),
    meta: { invalidates: ['webhooks'] },
  });

export const useRemoveWebhook = actOnRow(webhooks.remove, 'webhooks');
