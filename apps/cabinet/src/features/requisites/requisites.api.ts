import { lookups, requisites, type RequisiteInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

export const requisiteSpec = listSpec(requisites.find, {
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const requisiteQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('requisites').get(id),
    queryFn: ({ signal }) => api(requisites.get, { params: { id }, query: {}, signal }),
  });

export const banksQuery = (query: string) =>
  queryOptions({
    queryKey: keysOf('requisites').of('banks', query),
    queryFn: ({ signal }) => api(lookups.banks, { body: { query }, signal }),
    staleTime: 60_000,
    retry: false,
  });

export type RequisiteBody = z.input<typeof RequisiteInput>;
const changing = { invalidates: ['requisites'], showsErrors: true } as const;

export const useCreateRequisite = () =>
  useMutationOnce({
    mutationFn: (body: RequisiteBody) => api(requisites.create, { body }),
    meta: changing,
  });

export const useUpdateRequisite = (id: string) =>
  useMutationOnce({
    mutationFn: (body: RequisiteBody) => api(requisites.update, { params: { id }, body }),
    meta: changing,
  });

export const useRemoveRequisite = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(requisites.remove, { params: { id } }),
    meta: { invalidates: ['requisites'] },
  });

export const useFindCompany = () =>
  useMutationOnce({
    mutationFn: (query: string) => api(lookups.companies, { body: { query } }),
    meta: { showsErrors: true },
  });

export const useCleanName = () =>
  useMutationOnce({ mutationFn: (query: string) => api(lookups.names, { body: { query } }) });
