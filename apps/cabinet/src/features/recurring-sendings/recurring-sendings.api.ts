import { recurringSendings } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { actOnRow, changeRow } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../list/state/list-spec.ts';

export const recurringSpec = listSpec(recurringSendings.find, {
  filters: { OwnerId: text },
  order: ['createdAt', 'nextRunAt', 'title'],
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

export const useUpdateRecurring = changeRow(recurringSendings.update, 'recurringSendings');

export const useSetRecurring = () =>
  useMutationOnce({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      api(recurringSendings.update, { params: { id }, body: { isActive } }),
    meta: { invalidates: ['recurringSendings'] },
  });

export const useRemoveRecurring = actOnRow(recurringSendings.remove, 'recurringSendings');
