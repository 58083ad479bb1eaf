import { monthlyMinimums } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { changeRow } from '../../core/row-calls.ts';

/** Under the noun of the ledger: a charge or a refund moves what is used. */
export const minimumQuery = (OwnerId?: string) =>
  queryOptions({
    queryKey: keysOf('billings').of('minimum', OwnerId),
    queryFn: ({ signal }) =>
      api(monthlyMinimums.get, { query: OwnerId ? { OwnerId } : {}, signal }),
  });

export const useSetMinimum = changeRow(monthlyMinimums.set, 'billings', 'audit');
