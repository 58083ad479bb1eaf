import {
  accountChanges,
  accountClosings,
  accountNotes,
  auth,
  billings,
  MAX_ACCOUNT_CHANGES,
  users,
  type AccountChange,
  type AccountChanged,
  type BillingInput,
  type CloseInput,
  type User,
} from '@heliograph/contract';
import { queryOptions, useQueryClient, type MutationMeta } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { toListQuery, type ListRequest } from '../../core/list-request.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { session } from '../../core/session/session.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';
import type { ChangeParts } from './account-change-values.ts';

export const userSpec = listSpec(users.find, {
  filters: { ManagerId: text, isActive: oneOf(['true', 'false']), isClosed: oneOf(['true']) },
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

/** What closing an account would end, and its balance now. */
export const closingQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('users').of('closing', id),
    queryFn: ({ signal }) => api(accountClosings.preview, { params: { id }, signal }),
    staleTime: 0,
  });

/** What ends when an account is closed, in the order in which it is listed. */
export const ENDS = [
  'bulks',
  'recurringSendings',
  'automations',
  'reportSchedules',
  'recurrentPayments',
  'wapi',
  'webhooks',
  'packages',
] as const;

/** Closes an account, or settles a closed one. A refusal may mean that the balance is another one by now. */
export function useCloseAccount(id: string) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: (body: CloseInput) => api(accountClosings.close, { params: { id }, body }),
    meta: { invalidates: ['users', 'tasks', 'billings', 'packages'], showsErrors: true },
    onError: () => client.invalidateQueries(closingQuery(id)),
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

/** Accounts that one change reaches. */
export const MAX_CHANGED = 1000;
const FOUND_PAGE = 500;

/** Accounts that were selected, or the request of the list that finds them. */
export type Changing = Pick<User, 'id' | 'username'>[] | ListRequest;
export interface ChangedAccounts {
  changed: number;
  refused: { id: string; username: string; error: NonNullable<AccountChanged['error']> }[];
}

/** In the order of their creation, so that what changes meanwhile moves none to a page that was read. */
async function foundBy(request: ListRequest): Promise<Pick<User, 'id' | 'username'>[]> {
  const found: Pick<User, 'id' | 'username'>[] = [];
  const order = [{ field: 'createdAt' as const, direction: 'asc' as const }];
  for (let offset = 0; offset < MAX_CHANGED; offset += FOUND_PAGE) {
    const query = toListQuery({ ...request, order, offset, limit: FOUND_PAGE }, Date.now());
    const { data } = await api(users.find, { query: query as never });
    found.push(...data);
    if (data.length < FOUND_PAGE) break;
  }
  return found;
}

/** A change, and the account by its name. */
export interface NamedChange {
  username: string;
  change: AccountChange;
}

/** In steps, as the server takes them. `onStep` is told how many accounts were looked at so far. */
async function apply(
  named: readonly NamedChange[],
  onStep: (count: number) => void,
): Promise<ChangedAccounts> {
  const done: ChangedAccounts = { changed: 0, refused: [] };
  for (let at = 0; at < named.length; at += MAX_ACCOUNT_CHANGES) {
    const some = named.slice(at, at + MAX_ACCOUNT_CHANGES);
    const changes = some.map(({ change }) => change);
    const { data } = await api(accountChanges.apply, { body: { changes } });
    for (const [i, { id, error }] of data.entries())
      if (error) done.refused.push({ id, username: some[i]!.username, error });
      else done.changed++;
    onStep(at + some.length);
  }
  return done;
}
const IN_STEPS: MutationMeta = {
  invalidates: ['users', 'tasks'],
  isInSteps: true,
  showsErrors: true,
};

/** The same parts of many accounts. */
export const useChangeAccounts = (onStep: (count: number) => void) =>
  useMutationOnce({
    async mutationFn({ of, parts }: { of: Changing; parts: ChangeParts }) {
      const accounts = Array.isArray(of) ? of : await foundBy(of);
      const named = accounts.map(({ id, username }) => ({ username, change: { id, ...parts } }));
      return apply(named, onStep);
    },
    meta: IN_STEPS,
  });

/** What an uploaded file would change. */
export const usePreviewChanges = () =>
  useMutationOnce({
    mutationFn: (key: string) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return api(accountChanges.preview, { body: { from: { key }, timeZone } });
    },
    meta: { showsErrors: true },
  });

/** Each account has a change of its own. */
export const useApplyChanges = (onStep: (count: number) => void) =>
  useMutationOnce({
    mutationFn: (named: readonly NamedChange[]) => apply(named, onStep),
    meta: IN_STEPS,
  });
