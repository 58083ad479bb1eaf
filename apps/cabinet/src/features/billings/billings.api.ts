import { BILLING_SOURCES, billings, BillingStatus, type Call } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const billingSpec = listSpec(billings.find, {
  filters: {
    status: manyOf(BillingStatus.options),
    source: manyOf(BILLING_SOURCES),
    id: text,
    OwnerId: text,
  },
  order: ['createdAt', 'amount'],
  period: 'createdAt',
  search: true,
  ...ACCOUNT_SIZES,
});

export const billingQuery = rowQuery('billings', billings.get);

type Query = NonNullable<Call<typeof billings.totals>['query']>;

/** The sums of what the list is filtered by. `moved` changes with its rows. */
export const totalsQuery = (query: Query, moved: number) =>
  queryOptions({
    queryKey: keysOf('billings').of('totals', query, moved),
    queryFn: ({ signal }) => api(billings.totals, { query, signal }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
