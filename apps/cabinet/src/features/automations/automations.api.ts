import { automations, type AutomationInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../list/state/list-spec.ts';

export const automationSpec = listSpec(automations.find, {
  filters: { OwnerId: text },
  order: ['createdAt', 'title'],
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

export const automationQuery = rowQuery('automations', automations.get);

export const countsQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('automations').of('counts', id),
    queryFn: ({ signal }) => api(automations.counts, { params: { id }, signal }),
  });

const SHOWN_PEOPLE = 50;
/** The people who have entered last. */
export const peopleQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('automations').of('runs', id),
    queryFn: ({ signal }) =>
      api(automations.runs, { params: { id }, query: { limit: SHOWN_PEOPLE }, signal }),
    staleTime: 0,
  });

export type AutomationDraft = Omit<z.input<typeof AutomationInput>, 'isActive'>;

export const useCreateAutomation = sendBody(automations.create, 'automations');

export const useUpdateAutomation = changeRow(automations.update, 'automations');

export const useSetAutomation = () =>
  useMutationOnce({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api(automations.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: ['automations'] },
  });

export const useRemoveAutomation = actOnRow(automations.remove, 'automations');
