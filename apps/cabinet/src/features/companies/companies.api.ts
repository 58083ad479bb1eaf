import { companies, type CompanyInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';

export const companySpec = listSpec(companies.find, {
  filters: { isActive: oneOf(['true', 'false']), vat: oneOf(['true', 'false']), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const companyQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('companies').get(id),
    queryFn: ({ signal }) => api(companies.get, { params: { id }, query: {}, signal }),
  });

export type CompanyBody = z.input<typeof CompanyInput>;

export const useCreateCompany = () =>
  useMutationOnce({
    mutationFn: (body: CompanyBody) => api(companies.create, { body }),
    meta: { invalidates: ['companies', 'documentTemplates'], showsErrors: true },
  });

export const useUpdateCompany = (id: string) =>
  useMutationOnce({
    mutationFn: ({ OwnerId: _, ...body }: CompanyBody) =>
      api(companies.update, { params: { id }, body }),
    meta: { invalidates: ['companies', 'documentTemplates'], showsErrors: true },
  });

export const useRemoveCompany = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(companies.remove, { params: { id } }),
    meta: { invalidates: ['companies', 'documentTemplates'] },
  });
