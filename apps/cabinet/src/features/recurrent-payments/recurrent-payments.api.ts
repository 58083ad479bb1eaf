import { recurrentPayments, type RecurrentPaymentInput } from '@heliograph/contract';
import { RECURRENT_STATUSES, RECURRENT_TYPES } from '@heliograph/domain';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';
import { leaveToPay } from '../../core/return-to.ts';

export const recurrentSpec = listSpec(recurrentPayments.find, {
  order: ['createdAt', 'amount'],
  filters: {
    type: manyOf(RECURRENT_TYPES),
    status: manyOf(RECURRENT_STATUSES),
    OwnerId: text,
  },
  period: 'createdAt',
  search: true,
  ...ACCOUNT_SIZES,
});

export const recurrentQuery = rowQuery('recurrentPayments', recurrentPayments.get);

const invalidates = ['recurrentPayments', 'payments'] as const;

export const useCreateRecurrent = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof RecurrentPaymentInput>) =>
      api(recurrentPayments.create, { body }),
    meta: { invalidates, showsErrors: true },
  });

export const useSetRecurrent = (id: string) =>
  useMutationOnce({
    mutationFn: (status: 'ready' | 'pause') =>
      api(recurrentPayments.update, { params: { id }, body: { status } }),
    meta: { invalidates, showsErrors: true },
  });

export const useConfirmCard = (id: string) =>
  useMutationOnce({
    mutationFn: (_: void) => api(recurrentPayments.confirm, { params: { id }, body: {} }),
    onSuccess: ({ url }) => leaveToPay(url),
    meta: { invalidates },
  });

export const useBlockRecurrent = (id: string) =>
  useMutationOnce({
    mutationFn: (isBlocked: boolean) =>
      api(recurrentPayments.block, { params: { id }, body: { isBlocked } }),
    meta: { invalidates },
  });

export const useRemoveRecurrent = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(recurrentPayments.remove, { params: { id } }),
    meta: { invalidates },
  });
