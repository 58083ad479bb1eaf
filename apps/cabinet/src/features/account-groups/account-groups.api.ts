import {
  messageRuleGroups,
  routingGroups,
  type GroupRef,
  type MessageRuleGroup,
  type MessageRuleGroupInput,
  type RoutingGroup,
  type RoutingGroupInput,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';
import type { OptionSource } from '../../ui/async-options.ts';

export type Noun = 'routingGroups' | 'messageRuleGroups';
/** Which of the two groups it is differs by what stands in it. */
export type AccountGroup = RoutingGroup | MessageRuleGroup;

const ENDPOINTS = { routingGroups, messageRuleGroups };

export const routingGroupSpec = listSpec(routingGroups.find, {
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});
export const messageRuleGroupSpec = listSpec(messageRuleGroups.find, {
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const routingGroupQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('routingGroups').get(id),
    queryFn: ({ signal }) => api(routingGroups.get, { params: { id }, signal }),
  });
export const messageRuleGroupQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('messageRuleGroups').get(id),
    queryFn: ({ signal }) => api(messageRuleGroups.get, { params: { id }, signal }),
  });

/** The groups of a kind by title, for a field that selects some. */
export const groupSource = (noun: Noun): OptionSource<GroupRef> => ({
  noun,
  find: (query, signal) =>
    api(ENDPOINTS[noun].find, {
      query: { ...query, order: [{ field: 'title' as const, direction: 'asc' as const }] },
      signal,
    }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});

/** Makes one where there is no `id`, else changes it. */
export const useSaveRoutingGroup = (id: string | undefined) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof RoutingGroupInput>) =>
      id
        ? api(routingGroups.update, { params: { id }, body })
        : api(routingGroups.create, { body }),
    meta: { invalidates: ['routingGroups', 'users'], showsErrors: true },
  });
export const useSaveMessageRuleGroup = (id: string | undefined) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof MessageRuleGroupInput>) =>
      id
        ? api(messageRuleGroups.update, { params: { id }, body })
        : api(messageRuleGroups.create, { body }),
    meta: { invalidates: ['messageRuleGroups', 'users'], showsErrors: true },
  });

export const useRemoveGroup = (noun: Noun) =>
  useMutationOnce({
    mutationFn: (id: string) => api(ENDPOINTS[noun].remove, { params: { id } }),
    meta: { invalidates: [noun, 'users'] },
  });

/** Puts an account into these groups and no others. */
export const useAssignGroups = (noun: Noun, id: string) =>
  useMutationOnce({
    mutationFn: async (ids: string[]) => {
      await api(ENDPOINTS[noun].assign, { params: { id }, body: { ids } });
    },
    meta: { invalidates: [noun, 'users'], showsErrors: true },
  });
