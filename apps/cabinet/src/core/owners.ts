import { users, type Level, type User } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';
import { useCan } from './settings.ts';

/** Whether the user sees rows of other accounts. */
export function useSeesOwners(): boolean {
  return useCan()('users.get', 'resellerUp');
}

/** The accounts in the user's scope, for a field that selects one. */
export const ownerSource = (level?: Level) => ({
  noun: 'users' as const,
  params: ['owners', level],
  find: (query: { limit: number; search: string | undefined }, signal: AbortSignal) =>
    api(users.find, {
      query: {
        ...query,
        offset: 0,
        order: [{ field: 'createdAt', direction: 'desc' }],
        filter: { isActive: true, isHolder: true, ...(level && { level: [level] }) },
        scope: [],
        range: {},
      },
      signal,
    }),
  get: (id: string, signal: AbortSignal) => api(users.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, username }: User) => ({ value: id, label: username }),
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
