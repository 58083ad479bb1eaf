import { tasks, type Bulk } from '@heliograph/contract';
import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';

/** Events that count move it within this time, whatever their number. */
const THROTTLE_MS = 3000;
/** Reads, replies and clicks move no counter of the task. */
const REFRESH_MS = 30_000;

/** How the bulk went, summed up again as it goes on. */
export function useOutcome({ id, state, meta: { counters } }: Bulk) {
  const { total, completed, errored, cancelled } = counters;
  const moved = useThrottledValue(
    [state, total, completed, errored, cancelled].join(),
    THROTTLE_MS,
  );
  return useQuery({
    queryKey: keysOf('taskOutcomes').of('get', id, moved),
    queryFn: ({ signal }) => api(tasks.outcome, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(REFRESH_MS),
    gcTime: 30_000,
  });
}
