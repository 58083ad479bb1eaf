import { users, type Level, type User } from '@heliograph/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';
import { useCan } from './settings.ts';

const NEWEST_OWNERS = 10;
const MAX_FOUND_OWNERS = 25;

/** Whether the user sees rows of other accounts. */
export function useSeesOwners(): boolean {
  return useCan()('users.get', 'resellerUp');
}

/** The newest accounts in the user's scope, or those that match the search. */
export const ownersQuery = (search: string, level?: Level) =>
  queryOptions({
    queryKey: keysOf('users').of('owners', search, level),
    queryFn: ({ signal }) =>
      api(users.find, {
        query: {
          offset: 0,
          limit: search ? MAX_FOUND_OWNERS : NEWEST_OWNERS,
          order: [{ field: 'createdAt', direction: 'desc' }],
          search: search || undefined,
          filter: { isActive: true, ...(level && { level: [level] }) },
          scope: [],
          range: {},
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The account of an id from the URL; undefined until it is loaded. */
export function useOwner(id: string | null | undefined): User | undefined {
  const sees = useSeesOwners();
  const { data } = useQuery({
    queryKey: keysOf('users').of('name', id),
    queryFn: ({ signal }) => api(users.get, { params: { id: id! }, query: {}, signal }),
    enabled: !!id && sees,
  });
  return data;
}

/** The name of the account of an id from the URL; empty until it is loaded. */
export function useOwnerName(id: string | null | undefined): string {
  return useOwner(id)?.username ?? '';
}
