import {
  tasks,
  TaskState,
  TaskType,
  type Bulk,
  type Task,
  type TaskRecipients,
} from '@heliograph/contract';
import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { ownResult } from '../../core/own-results.ts';
import { keysOf } from '../../core/query-keys.ts';
import { applyResponse } from '../../core/realtime/apply-response.ts';
import { pollEvery } from '../../core/query.ts';
import { actOnRow, rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';
import { progressOf } from './task-progress.ts';

export const taskSpec = listSpec(tasks.find, {
  filters: { type: manyOf(TaskType.options), state: manyOf(TaskState.options), OwnerId: text },
  order: ['createdAt', 'startsAt', 'title'],
  period: 'createdAt',
  search: true,
});

export const taskQuery = rowQuery('tasks', tasks.get);

const NOBODY: TaskRecipients = { include: { lists: [] }, exclude: { lists: [] } };

/** The recipients of a bulk: lists and events do not contain them. They never change. */
export const taskRecipientsQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('taskRecipients').get(id),
    queryFn: async ({ signal }): Promise<TaskRecipients> =>
      (await api(tasks.get, { params: { id }, signal })).data.recipients ?? NOBODY,
    staleTime: Infinity,
  });

/** Refetched when `moved` changes; the caller throttles it. */
const errorsQuery = (id: string, moved: number) =>
  queryOptions({
    queryKey: keysOf('taskErrors').of('get', id, moved),
    queryFn: ({ signal }) => api(tasks.errors, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });

/** Attempts that fail move it as well as recipients that do. */
export function useTaskErrors(task: Bulk) {
  const moved = useThrottledValue(progressOf(task).ended, 5000);
  return useQuery(errorsQuery(task.id, moved)).data;
}

export const unsentQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('taskUnsent').get(id),
    queryFn: ({ signal }) => api(tasks.unsent, { params: { id }, signal }),
    // The user decides by these numbers, so a cached answer must not be shown.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: pollEvery(3000),
  });

type NextState = 'paused' | 'scheduled';

export const useSetTaskState = () =>
  useStateChange(({ id, state }: { id: string; state: NextState }) =>
    ownResult(
      state === 'paused' ? 'SendingsBulkPaused' : 'SendingsBulkResumed',
      api(tasks.update, { params: { id }, body: { state } }),
      () => id,
    ),
  );

/** Ends it, whether it waits, runs or is paused. */
export const useCancelTask = () =>
  useStateChange((id: string) => api(tasks.cancel, { params: { id } }));

function useStateChange<Given>(change: (given: Given) => Promise<Task>) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: change,
    onSuccess: (task) => applyResponse('tasks', task),
    // Refused because the task has changed: show its current state.
    onError: () => client.invalidateQueries({ queryKey: keysOf('tasks').all }),
  });
}

export const useRemoveTask = actOnRow(tasks.remove, 'tasks');
