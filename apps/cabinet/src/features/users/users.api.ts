import { auth, billings, users, type BillingInput } from '@heliograph/contract';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
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
