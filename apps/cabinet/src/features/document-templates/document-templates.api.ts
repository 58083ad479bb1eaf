import {
  companies,
  documentTemplates,
  type Company,
  type DocumentTemplateInput,
  type TemplatePreview,
} from '@heliograph/contract';
import { DOCUMENT_TYPES } from '@heliograph/domain';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const documentTemplateSpec = listSpec(documentTemplates.find, {
  filters: { type: manyOf(DOCUMENT_TYPES), CompanyId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const documentTemplateQuery = rowQuery('documentTemplates', documentTemplates.get);

/** The companies that a template may be made for. */
export const companySource = {
  noun: 'companies' as const,
  params: ['titles'],
  find: (query: { limit: number; search: string | undefined }, signal: AbortSignal) =>
    api(companies.find, {
      query: {
        ...query,
        offset: 0,
        range: {},
        scope: [],
        filter: {},
        order: [{ field: 'createdAt', direction: 'desc' }],
      },
      signal,
    }),
  get: (id: string, signal: AbortSignal) =>
    api(companies.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }: Company) => ({ value: id, label: title }),
};

export type TemplateBody = z.input<typeof DocumentTemplateInput>;
/** A company shows the types that it has templates for. */
const changed = ['documentTemplates', 'companies'] as const;

export const useCreateTemplate = sendBody(documentTemplates.create, ...changed);

export const useUpdateTemplate = changeRow(documentTemplates.update, ...changed);

export const useActivateTemplate = () =>
  useMutationOnce({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api(documentTemplates.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: [...changed] },
  });

export const useRemoveTemplate = actOnRow(documentTemplates.remove, ...changed);

/** Makes a document of sample data: a file of the user that expires. */
export const usePreview = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof TemplatePreview>) => api(documentTemplates.preview, { body }),
    meta: { invalidates: ['storage'] },
  });
