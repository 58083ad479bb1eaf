import {
  messageRuleGroups,
  routingGroups,
  type GroupRef,
  type MessageRuleGroup,
  type RoutingGroup,
} from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { rowQuery, saveRow } from '../../core/row-calls.ts';
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

export const routingGroupQuery = rowQuery('routingGroups', routingGroups.get);
export const messageRuleGroupQuery = rowQuery('messageRuleGroups', messageRuleGroups.get);

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

export const useSaveRoutingGroup = saveRow(routingGroups, 'routingGroups', 'users');
export const useSaveMessageRuleGroup = saveRow(messageRuleGroups, 'messageRuleGroups', 'users');

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
