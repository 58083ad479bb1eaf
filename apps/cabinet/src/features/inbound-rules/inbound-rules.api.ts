import { inboundRules, type InboundRuleInput, type InboundTrial } from '@heliograph/contract';
import { MAX_INBOUND_RULES } from '@heliograph/domain';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
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

export const inboundRuleQuery = rowQuery('inboundRules', inboundRules.get);

export type InboundRuleDraft = z.input<typeof InboundRuleInput>;
export type InboundTrialDraft = z.input<typeof InboundTrial>;

export const useCreateInboundRule = sendBody(inboundRules.create, 'inboundRules');

export const useUpdateInboundRule = changeRow(inboundRules.update, 'inboundRules');

export const useRemoveInboundRule = actOnRow(inboundRules.remove, 'inboundRules');

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

export const useTryInboundRules = sendBody(inboundRules.try);
