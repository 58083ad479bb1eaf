import { integrations, type IntegrationInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';
import { actOnRow, changeRow } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

/** More than an account may have by default. */
const MAX_SHOWN = 100;
const LIVE_MS = 10_000;

/** The integrations of an account. Their states change without events. */
export const integrationsQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('integrations').of('account', OwnerId),
    queryFn: ({ signal }) =>
      api(integrations.find, {
        query: {
          filter: { OwnerId },
          limit: MAX_SHOWN,
          order: [{ field: 'createdAt', direction: 'asc' }],
        },
        signal,
      }),
    refetchInterval: pollEvery(LIVE_MS),
  });

export type IntegrationDraft = z.input<typeof IntegrationInput>;
const changing = { invalidates: ['integrations'], showsErrors: true } as const;
/** Answers with a secret are not kept after their dialog is gone. */
const unkept = { meta: changing, gcTime: 0 };

export const useCreateIntegration = () =>
  useMutationOnce({
    mutationFn: (body: IntegrationDraft) => api(integrations.create, { body }),
    ...unkept,
  });

export const useRotateIntegration = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(integrations.rotate, { params: { id } }),
    meta: { invalidates: ['integrations'] },
    gcTime: 0,
  });

export const useUpdateIntegration = changeRow(integrations.update, 'integrations');

export const useSwitchIntegration = () =>
  useMutationOnce({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api(integrations.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: ['integrations'] },
  });

export const useRemoveIntegration = actOnRow(integrations.remove, 'integrations');
