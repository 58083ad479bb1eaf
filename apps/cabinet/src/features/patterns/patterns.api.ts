import { patterns, SendingType, type PatternInput } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { useChange } from '../../core/use-change.ts';
import { listSpec, manyOf, text } from '../../list/list-spec.ts';

export const patternSpec = listSpec(patterns.find, {
  filters: { type: manyOf(SendingType.options), group: manyOf(TRAFFIC_GROUPS), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
});

export const patternQuery = (id: string) =>
  queryOptions({
    queryKey: ['patterns', 'get', id],
    queryFn: ({ signal }) => api(patterns.get, { params: { id }, query: {}, signal }),
  });

type Draft = z.input<typeof PatternInput>;

export const useCreatePattern = () =>
  useChange(['patterns', 'users'], (body: Draft) => api(patterns.create, { body }));

/** It stays with the account that it was registered for. */
export const useUpdatePattern = (id: string) =>
  useChange(['patterns', 'users'], (body: Omit<Draft, 'OwnerId'>) =>
    api(patterns.update, { params: { id }, body }),
  );

export const useRemovePattern = () =>
  useChange(['patterns', 'users'], (id: string) => api(patterns.remove, { params: { id } }), false);
