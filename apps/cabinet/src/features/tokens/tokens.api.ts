import { tokens, type TokenInput, type TokenRotation } from '@heliograph/contract';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { ownResult } from '../../core/own-results.ts';
import { actOnRow, changeRow, rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

export const tokenSpec = listSpec(tokens.find, {
  order: ['createdAt', 'description', 'expiredAt', 'lastUsedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const tokenQuery = rowQuery('tokens', tokens.get);

export type TokenDraft = z.input<typeof TokenInput>;

const changing = { invalidates: ['tokens'], showsErrors: true } as const;
/** Answers with a secret are not kept after their dialog is gone. */
const unkept = { meta: changing, gcTime: 0 };

export const useCreateToken = () =>
  useMutationOnce({
    // A toast would cover the dialog that shows the secret.
    mutationFn: (body: TokenDraft) =>
      ownResult('TokenCreated', api(tokens.create, { body }), ({ id }) => id),
    ...unkept,
  });

export const useRotateToken = (id: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof TokenRotation>) =>
      api(tokens.rotate, { params: { id }, body }),
    ...unkept,
  });

export const useUpdateToken = changeRow(tokens.update, 'tokens');

export const useRemoveToken = actOnRow(tokens.remove, 'tokens');
