import {
  MAX_REPORT_SCHEDULES,
  reportSchedules,
  type ReportSchedule,
  type ReportScheduleInput,
} from '@heliograph/contract';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { actOnRow } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, text } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

const scheduleSpec = listSpec(reportSchedules.find, {
  filters: { OwnerId: text },
  order: ['createdAt'],
});

/** All schedules of an account: there are at most ten. */
export const schedulesQuery = (OwnerId: string) =>
  findQuery(scheduleSpec, {
    limit: MAX_REPORT_SCHEDULES,
    order: [{ field: 'createdAt', direction: 'desc' }],
    filter: { OwnerId },
  });

export type ScheduleBody = z.input<typeof ReportScheduleInput>;

export const useSaveSchedule = (id?: string) =>
  useMutationOnce({
    mutationFn: (body: ScheduleBody): Promise<ReportSchedule> =>
      id
        ? api(reportSchedules.update, { params: { id }, body })
        : api(reportSchedules.create, { body }),
    meta: { invalidates: ['reportSchedules'], showsErrors: true },
  });

export const usePauseSchedule = (id: string) =>
  useMutationOnce({
    mutationFn: (isActive: boolean) =>
      api(reportSchedules.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: ['reportSchedules'], showsErrors: true },
  });

export const useRemoveSchedule = actOnRow(reportSchedules.remove, 'reportSchedules');
