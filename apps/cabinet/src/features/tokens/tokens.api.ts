import { tokens, type TokenInput, type TokenRotation } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { addOwnResult } from '../../core/own-results.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

export const tokenSpec = listSpec(tokens.find, {
  order: ['createdAt', 'description', 'expiredAt', 'lastUsedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const tokenQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('tokens').get(id),
    queryFn: ({ signal }) => api(tokens.get, { params: { id }, query: {}, signal }),
  });

export type TokenDraft = z.input<typeof TokenInput>;

const changing = { invalidates: ['tokens'], showsErrors: true } as const;
/** Answers with a secret are not kept after their dialog is gone. */
const unkept = { meta: changing, gcTime: 0 };

export const useCreateToken = () =>
  useMutationOnce({
    mutationFn: async (body: TokenDraft) => {
      const created = await api(tokens.create, { body });
      // A toast would cover the dialog that shows the secret.
      addOwnResult(created.prefix);
      return created;
    },
    ...unkept,
  });

export const useRotateToken = (id: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof TokenRotation>) =>
      api(tokens.rotate, { params: { id }, body }),
    ...unkept,
  });

export const useUpdateToken = (id: string) =>
  useMutationOnce({
    mutationFn: (body: Partial<TokenDraft>) => api(tokens.update, { params: { id }, body }),
    meta: changing,
  });

export const useRemoveToken = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(tokens.remove, { params: { id } }),
    meta: { invalidates: ['tokens'] },
  });
