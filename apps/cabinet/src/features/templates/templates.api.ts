import {
  Moderation,
  SendingType,
  templates,
  type TemplateInput,
  type TemplateRow,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, sendBody } from '../../core/row-calls.ts';
import { listSpec, manyOf, oneOf, text } from '../../list/state/list-spec.ts';

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

/** Rejected and inactive templates cannot be used; the server has the same rule. */
export const isUsable = ({ moderation, isActive }: TemplateRow): boolean =>
  isActive && moderation !== 'rejected';

/** With its recipients, always fetched: events do not contain them. */
export const wholeTemplateQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('templates').of('whole', id),
    queryFn: ({ signal }) => api(templates.get, { params: { id }, query: {}, signal }),
    gcTime: 0,
  });

/** A template as lists, events and the drawer contain it. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('templates').get(id),
    queryFn: async ({ signal }): Promise<TemplateRow> =>
      api(templates.get, { params: { id }, query: {}, signal }),
  });

/** What a template said; another one with each version. */
export const templateVersionsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: keysOf('templates').of('versions', id, String(version)),
    queryFn: ({ signal }) => api(templates.versions, { params: { id }, signal }),
  });

export type TemplateDraft = z.input<typeof TemplateInput>;

export const useCreateTemplate = sendBody(templates.create, 'templates');

export const useUpdateTemplate = changeRow(templates.update, 'templates');

export const useRemoveTemplate = actOnRow(templates.remove, 'templates');

export const useModerateTemplate = changeRow(templates.moderate, 'templates');
