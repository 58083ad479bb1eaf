import {
  inboundRules,
  type InboundRuleInput,
  type InboundTrial,
  type InboundRuleUpdate,
} from '@heliograph/contract';
import { MAX_INBOUND_RULES } from '@heliograph/domain';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { findQuery } from '../../list/state/use-list.ts';

/** All rules of an account in their order. */
export const inboundRulesQuery = (OwnerId: string) =>
  findQuery(
    { endpoint: inboundRules.find, resource: 'inboundRules' },
    {
      limit: MAX_INBOUND_RULES,
      order: [{ field: 'position', direction: 'asc' }],
      filter: { OwnerId },
    },
  );

export const inboundRuleQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('inboundRules').get(id),
    queryFn: ({ signal }) => api(inboundRules.get, { params: { id }, query: {}, signal }),
  });

export type InboundRuleDraft = z.input<typeof InboundRuleInput>;
export type InboundTrialDraft = z.input<typeof InboundTrial>;

const changing = { invalidates: ['inboundRules'], showsErrors: true } as const;

export const useCreateInboundRule = () =>
  useMutationOnce({
    mutationFn: (body: InboundRuleDraft) => api(inboundRules.create, { body }),
    meta: changing,
  });

export const useUpdateInboundRule = (id: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof InboundRuleUpdate>) =>
      api(inboundRules.update, { params: { id }, body }),
    meta: changing,
  });

export const useRemoveInboundRule = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(inboundRules.remove, { params: { id } }),
    meta: { invalidates: ['inboundRules'] },
  });

export function useReorderInboundRules(OwnerId: string) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: (ids: string[]) => api(inboundRules.reorder, { body: { ids } }),
    onSuccess: (rows) =>
      void client.setQueryData(
        inboundRulesQuery(OwnerId).queryKey,
        (page) => page && { ...page, data: rows },
      ),
    meta: { invalidates: ['inboundRules'] },
  });
}

export const useTryInboundRules = () =>
  useMutationOnce({
    mutationFn: (body: InboundTrialDraft) => api(inboundRules.try, { body }),
    meta: { showsErrors: true },
  });
