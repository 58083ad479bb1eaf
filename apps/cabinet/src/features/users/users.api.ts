import { auth, billings, users, type BillingInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { createIdempotencyKeys } from '../../core/idempotency.ts';
import { session } from '../../core/session/session.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../list/state/list-spec.ts';

export const userSpec = listSpec(users.find, {
  filters: { ManagerId: text },
  order: ['createdAt', 'username', 'balance'],
  search: true,
  ...ACCOUNT_SIZES,
});

/** With tariffs and sender names. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('users').get(id),
    queryFn: ({ signal }) =>
      api(users.get, { params: { id }, query: { $scope: ['full'] }, signal }),
  });

/** Outlives the form: what was booked by a call whose answer was lost is not booked again by a form opened anew. */
const keys = createIdempotencyKeys();

export function useChangeBalance() {
  return useMutationOnce({
    mutationFn: (body: z.input<typeof BillingInput>) =>
      api(billings.create, { body, headers: { 'idempotency-key': keys.keyFor(body) } }),
    onSuccess: () => keys.forget(),
    meta: { invalidates: ['users', 'billings'], showsErrors: true },
  });
}

/** The cabinet as another account sees it; one's own session waits to be returned to. */
export function useLoginAs() {
  return useMutationOnce({
    mutationFn: (id: string) => api(auth.loginAs, { params: { id } }),
    onSuccess: ({ token }) => session.actAs(token),
  });
}
