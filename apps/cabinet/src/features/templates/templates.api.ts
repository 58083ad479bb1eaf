import {
  Moderation,
  SendingType,
  templates,
  type TemplateInput,
  type TemplateModeration,
  type TemplateRow,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { useChange } from '../../core/use-change.ts';
import { listSpec, manyOf, oneOf, text } from '../../list/list-spec.ts';

export const templateSpec = listSpec(templates.find, {
  filters: {
    type: manyOf(SendingType.options),
    moderation: manyOf(Moderation.options),
    isActive: oneOf(['true', 'false']),
    OwnerId: text,
  },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
});

/** With its recipients, as it is now: no event brings them. */
export const wholeTemplateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'whole', id],
    queryFn: ({ signal }) => api(templates.get, { params: { id }, query: {}, signal }),
    gcTime: 0,
  });

/** What a list, an event and the drawer tell of a template. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'get', id],
    queryFn: async ({ signal }): Promise<TemplateRow> =>
      api(templates.get, { params: { id }, query: {}, signal }),
  });

export type TemplateDraft = z.input<typeof TemplateInput>;

export const useCreateTemplate = () =>
  useChange(['templates'], (body: TemplateDraft) => api(templates.create, { body }));

export const useUpdateTemplate = (id: string) =>
  useChange(['templates'], (body: Partial<TemplateDraft>) =>
    api(templates.update, { params: { id }, body }),
  );

export const useRemoveTemplate = () =>
  useChange(['templates'], (id: string) => api(templates.remove, { params: { id } }), false);

export const useModerateTemplate = (id: string) =>
  useChange(['templates'], (body: z.input<typeof TemplateModeration>) =>
    api(templates.moderate, { params: { id }, body }),
  );
