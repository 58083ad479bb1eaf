import { patterns, SendingType, type PatternInput } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const patternSpec = listSpec(patterns.find, {
  filters: { type: manyOf(SendingType.options), group: manyOf(TRAFFIC_GROUPS), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
});

export const patternQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('patterns').get(id),
    queryFn: ({ signal }) => api(patterns.get, { params: { id }, query: {}, signal }),
  });

type Draft = z.input<typeof PatternInput>;

export const useCreatePattern = () =>
  useMutationOnce({
    mutationFn: (body: Draft) => api(patterns.create, { body }),
    meta: { invalidates: ['patterns', 'users'], showsErrors: true },
  });

/** It stays with the account that it was registered for. */
export const useUpdatePattern = (id: string) =>
  useMutationOnce({
    mutationFn: (body: Omit<Draft, 'OwnerId'>) => api(patterns.update, { params: { id }, body }),
    meta: { invalidates: ['patterns', 'users'], showsErrors: true },
  });

export const useRemovePattern = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(patterns.remove, { params: { id } }),
    meta: { invalidates: ['patterns', 'users'] },
  });
