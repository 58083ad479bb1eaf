import { billingOperations, type BillingOperation } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../../core/api.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { sendBody } from '../../../core/row-calls.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';

/** Rows of one page of the preview. */
export const ROWS_PER_PAGE = 20;

/** Reads the columns of a stored file. */
export const useReadColumns = () =>
  useMutation({
    mutationFn: async ({ key, sheet }: { key: string; sheet?: string }) => {
      const file = await api(billingOperations.columns, { body: { from: { key }, sheet } });
      return { key, file };
    },
    meta: { showsErrors: true },
  });

export const usePreviewOperation = sendBody(billingOperations.create);

export const useRunOperation = () =>
  useMutationOnce({
    mutationFn: ({ id, hash }: Pick<BillingOperation, 'id' | 'hash'>) =>
      api(billingOperations.run, {
        params: { id },
        body: { hash, locale: i18n.language as Locale },
      }),
    meta: { invalidates: ['tasks'], showsErrors: true },
  });

export const operationRowsQuery = (id: string, hasProblem: boolean, page: number) =>
  queryOptions({
    queryKey: keysOf('operationRows').of(id, hasProblem, page),
    queryFn: ({ signal }) =>
      api(billingOperations.rows, {
        params: { id },
        query: {
          ...(hasProblem && { filter: { hasProblem } }),
          order: [{ field: 'n', direction: 'asc' }],
          limit: ROWS_PER_PAGE,
          offset: (page - 1) * ROWS_PER_PAGE,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
