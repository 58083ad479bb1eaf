import {
  quietHours,
  SuppressionReason,
  suppressions,
  type OptOutSettingsInput,
  type QuietHoursInput,
  type Suppression,
  type SuppressionImport,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf } from '../../list/state/list-spec.ts';

export const suppressionSpec = listSpec(suppressions.find, {
  filters: { reason: manyOf(SuppressionReason.options) },
  order: ['createdAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const optOutQuery = queryOptions({
  queryKey: keysOf('suppressions').of('settings'),
  queryFn: ({ signal }) => api(suppressions.settings, { query: {}, signal }),
});

export const quietHoursQuery = queryOptions({
  queryKey: keysOf('suppressions').of('quietHours'),
  queryFn: ({ signal }) => api(quietHours.get, { query: {}, signal }),
});

export const useUpdateQuietHours = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof QuietHoursInput>) => api(quietHours.update, { body }),
    meta: { invalidates: ['suppressions', 'sendings'], showsErrors: true },
  });

const PAGE_SIZE = 200;

/** All rows of an account, page after page. */
export async function allSuppressions(OwnerId: string): Promise<Suppression[]> {
  const rows: Suppression[] = [];
  for (;;) {
    const { data } = await api(suppressions.find, {
      query: { filter: { OwnerId, cursor: rows.at(-1)?.id }, limit: PAGE_SIZE },
    });
    rows.push(...data);
    if (data.length < PAGE_SIZE) return rows;
  }
}

export type SuppressionDraft = z.input<typeof SuppressionImport>;
export type OptOutDraft = z.input<typeof OptOutSettingsInput>;

const changing = { invalidates: ['suppressions'], showsErrors: true } as const;

export const useAddSuppressions = () =>
  useMutationOnce({
    mutationFn: (body: SuppressionDraft) => api(suppressions.import, { body }),
    meta: changing,
  });

export const useRemoveSuppression = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(suppressions.remove, { params: { id } }),
    meta: { invalidates: ['suppressions'] },
  });

export const useConfigureOptOut = () =>
  useMutationOnce({
    mutationFn: (body: OptOutDraft) => api(suppressions.configure, { body }),
    meta: changing,
  });
