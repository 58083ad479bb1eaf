import { accountNotes, auth, billings, users, type BillingInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { session } from '../../core/session/session.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';

export const userSpec = listSpec(users.find, {
  filters: { ManagerId: text, isActive: oneOf(['true', 'false']) },
  order: ['createdAt', 'username', 'balance'],
  search: true,
  ...ACCOUNT_SIZES,
});

/** With tariffs and sender names. */
export const userQuery = rowQuery('users', users.get, { $scope: ['full'] });

export function useChangeBalance() {
  return useMutationOnce({
    mutationFn: (body: z.input<typeof BillingInput>) => api(billings.create, { body }),
    meta: { invalidates: ['users', 'billings'], showsErrors: true },
  });
}

/** Signs in as another account; the user's own session is kept to return to. */
export function useLoginAs() {
  return useMutationOnce({
    mutationFn: (id: string) => api(auth.loginAs, { params: { id } }),
    onSuccess: ({ token }) => session.actAs(token),
  });
}

/** The last notes about an account. */
export const notesQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: keysOf('accountNotes').of('last', id, limit),
    queryFn: ({ signal }) => api(accountNotes.find, { params: { id }, query: { limit }, signal }),
    // Those that are shown stay while all are loaded.
    placeholderData: (shown) => shown,
  });

/** Adds a note about an account, or changes one. */
export function useSaveNote(id: string, noteId: string | undefined) {
  return useMutationOnce({
    mutationFn: (body: { text: string }) =>
      noteId
        ? api(accountNotes.update, { params: { id, noteId }, body })
        : api(accountNotes.create, { params: { id }, body }),
    meta: { invalidates: ['accountNotes'], showsErrors: true },
  });
}

export function useRemoveNote(id: string) {
  return useMutationOnce({
    mutationFn: (noteId: string) => api(accountNotes.remove, { params: { id, noteId } }),
    meta: { invalidates: ['accountNotes'] },
  });
}
