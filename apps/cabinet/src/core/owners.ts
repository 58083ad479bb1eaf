import { users, type Level, type User } from '@heliograph/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';
import { useCan } from './settings.ts';

const FIRST = 10;
const FOUND = 25;

/** Does the person see rows of other accounts? */
export function useSeesOwners(): boolean {
  return useCan()('users.get', 'resellerUp');
}

/** The newest accounts within reach, or those that answer what was typed. */
export const ownersQuery = (search: string, level?: Level) =>
  queryOptions({
    queryKey: keysOf('users').of('owners', search, level),
    queryFn: ({ signal }) =>
      api(users.find, {
        query: {
          offset: 0,
          limit: search ? FOUND : FIRST,
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

/** The account of an id that came with a link; undefined until it is known. */
export function useOwner(id: string | null | undefined): User | undefined {
  const sees = useSeesOwners();
  const { data } = useQuery({
    queryKey: keysOf('users').of('name', id),
    queryFn: ({ signal }) => api(users.get, { params: { id: id! }, query: {}, signal }),
    enabled: !!id && sees,
  });
  return data;
}

/** A name for an id that came with a link; empty until it is known. */
export function useOwnerName(id: string | null | undefined): string {
  return useOwner(id)?.username ?? '';
}
