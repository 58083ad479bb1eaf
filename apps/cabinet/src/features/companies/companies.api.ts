import { companies, type CompanyInput } from '@heliograph/contract';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { actOnRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';

export const companySpec = listSpec(companies.find, {
  filters: { isActive: oneOf(['true', 'false']), vat: oneOf(['true', 'false']), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const companyQuery = rowQuery('companies', companies.get);

export type CompanyBody = z.input<typeof CompanyInput>;

export const useCreateCompany = sendBody(companies.create, 'companies', 'documentTemplates');

export const useUpdateCompany = (id: string) =>
  useMutationOnce({
    mutationFn: ({ OwnerId: _, ...body }: CompanyBody) =>
      api(companies.update, { params: { id }, body }),
    meta: { invalidates: ['companies', 'documentTemplates'], showsErrors: true },
  });

export const useRemoveCompany = actOnRow(companies.remove, 'companies', 'documentTemplates');
