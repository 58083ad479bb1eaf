import { lookups, requisites, type RequisiteInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

export const requisiteSpec = listSpec(requisites.find, {
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const banksQuery = (query: string) =>
  queryOptions({
    queryKey: keysOf('requisites').of('banks', query),
    queryFn: ({ signal }) => api(lookups.banks, { body: { query }, signal }),
    staleTime: 60_000,
    retry: false,
  });

export type RequisiteBody = z.input<typeof RequisiteInput>;
export const useCreateRequisite = sendBody(requisites.create, 'requisites');

export const useUpdateRequisite = changeRow(requisites.update, 'requisites');

export const useRemoveRequisite = actOnRow(requisites.remove, 'requisites');

export const useFindCompany = () =>
  useMutationOnce({
    mutationFn: (query: string) => api(lookups.companies, { body: { query } }),
    meta: { showsErrors: true },
  });

export const useCleanName = () =>
  useMutationOnce({ mutationFn: (query: string) => api(lookups.names, { body: { query } }) });
