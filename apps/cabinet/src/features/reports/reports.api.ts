import { REPORT_STATES, reports, type Report, type ReportInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { applyResponse } from '../../core/realtime/apply-response.ts';
import { pollEvery } from '../../core/query.ts';
import { actOnRow, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const reportSpec = listSpec(reports.find, {
  filters: { state: manyOf(REPORT_STATES), OwnerId: text },
  order: ['createdAt'],
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

/** A report is polled besides, because a dialog waits for it. */
const POLL_MS = 2000;

export const isUnfinished = ({ state }: Pick<Report, 'state'>): boolean =>
  state === 'pending' || state === 'running';

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('reports').get(id),
    queryFn: ({ signal }) => api(reports.get, { params: { id }, signal }),
    refetchInterval: (query) =>
      (!query.state.data || isUnfinished(query.state.data)) && pollEvery(POLL_MS)(query),
  });

export type ReportBody = z.input<typeof ReportInput>;

export const useCreateReport = sendBody(reports.create, 'reports');

/** The same report again, over the same range. */
export const useRepeatReport = () =>
  useMutationOnce({
    mutationFn: ({ preset, format, encoding, delimiter, locale, timeZone, where }: Report) =>
      api(reports.create, {
        body: { preset, format, encoding, delimiter, locale, timeZone, where },
      }),
    meta: { invalidates: ['reports'] },
  });

export const useCancelReport = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(reports.cancel, { params: { id } }),
    onSuccess: (report) => applyResponse('reports', report),
    // Refused because it is over: show its current state.
    meta: { invalidates: ['reports'] },
  });

export const useRemoveReport = actOnRow(reports.remove, 'reports', 'storage');
