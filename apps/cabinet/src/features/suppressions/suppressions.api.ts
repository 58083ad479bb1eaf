import {
  emailSettings,
  frequencyCap,
  quietHours,
  SuppressedType,
  SuppressionReason,
  suppressions,
  type OptOutSettingsInput,
  type Suppression,
  type SuppressionImport,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, sendBody } from '../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, manyOf } from '../../list/state/list-spec.ts';

export const suppressionSpec = listSpec(suppressions.find, {
  filters: { reason: manyOf(SuppressionReason.options), type: manyOf(SuppressedType.options) },
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

export const useUpdateQuietHours = sendBody(quietHours.update, 'suppressions', 'sendings');

export const frequencyCapQuery = queryOptions({
  queryKey: keysOf('suppressions').of('frequencyCap'),
  queryFn: ({ signal }) => api(frequencyCap.get, { query: {}, signal }),
});

export const useUpdateFrequencyCap = sendBody(frequencyCap.update, 'suppressions', 'sendings');

export const emailSettingsQuery = queryOptions({
  queryKey: keysOf('suppressions').of('emailSettings'),
  queryFn: ({ signal }) => api(emailSettings.get, { query: {}, signal }),
});

export const useUpdateEmailSettings = sendBody(emailSettings.update, 'suppressions');

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

export const useAddSuppressions = sendBody(suppressions.import, 'suppressions');

export const useRemoveSuppression = actOnRow(suppressions.remove, 'suppressions');

export const useConfigureOptOut = sendBody(suppressions.configure, 'suppressions');
