import { payments, PAYMENT_METHODS, type PaymentInput } from '@heliograph/contract';
import { PAYMENT_STATUSES } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const paymentSpec = listSpec(payments.find, {
  order: ['createdAt', 'amount'],
  filters: {
    status: manyOf(PAYMENT_STATUSES),
    method: manyOf(PAYMENT_METHODS),
    OwnerId: text,
    RecurrentPaymentId: text,
  },
  period: 'createdAt',
  search: true,
  ...ACCOUNT_SIZES,
});

export const paymentQuery = rowQuery('payments', payments.get);

export const methodsQuery = (UserId: string) =>
  queryOptions({
    queryKey: keysOf('payments').of('methods', UserId),
    queryFn: ({ signal }) => api(payments.methods, { query: { UserId }, signal }),
  });

const changing = { invalidates: ['payments', 'billings'], showsErrors: true } as const;

/** The payer returns to this browser's address. */
const returnsTo = (method: string, page: string) =>
  `${location.origin}/api/payments/webhook/${method}/${page}/`;

export const usePay = () =>
  useMutationOnce({
    mutationFn: ({ amount, method }: Pick<z.input<typeof PaymentInput>, 'amount' | 'method'>) =>
      api(payments.create, {
        body: {
          amount,
          method,
          urlSuccess: returnsTo(String(method), 'success'),
          urlFail: returnsTo(String(method), 'fail'),
        },
      }),
    meta: changing,
  });

export const useRefund = (id: string, onSuccess: () => void) =>
  useMutationOnce({
    onSuccess,
    mutationFn: (body: { amount?: number; refunded: number }) =>
      api(payments.refund, { params: { id }, body }),
    meta: changing,
  });
