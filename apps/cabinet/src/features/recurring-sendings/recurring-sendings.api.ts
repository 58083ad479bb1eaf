import { recurringSendings } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../list/state/list-spec.ts';

export const recurringSpec = listSpec(recurringSendings.find, {
  filters: { OwnerId: text },
  order: ['createdAt', 'nextRunAt', 'title'],
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

/** Its last runs, newest first. */
export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('recurringSendings').of('runs', id),
    queryFn: ({ signal }) => api(recurringSendings.runs, { params: { id }, signal }),
    staleTime: 0,
  });

export const useUpdateRecurring = changeRow(recurringSendings.update, 'recurringSendings');

export const useSetRecurring = () =>
  useMutationOnce({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api(recurringSendings.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: ['recurringSendings'] },
  });

export const useRemoveRecurring = actOnRow(recurringSendings.remove, 'recurringSendings');
