import { billings, REFERRAL_STATES, referrals } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { ACCOUNT_SIZES, listSpec, manyOf } from '../../list/state/list-spec.ts';

/** The ledger entries of bonuses. */
export const bonusSpec = listSpec(billings.find, {
  name: 'bonuses',
  order: ['createdAt', 'amount'],
  period: 'createdAt',
  scope: ['referral'],
  ...ACCOUNT_SIZES,
});

export const referralSpec = listSpec(referrals.find, {
  order: ['createdAt', 'bonus'],
  filters: { state: manyOf(REFERRAL_STATES) },
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

/** `moved` is a value that changes with the ledger. */
export const statisticsQuery = (OwnerId: string, moved: unknown) =>
  queryOptions({
    queryKey: keysOf('referrals').of('statistics', OwnerId, moved),
    queryFn: ({ signal }) => api(referrals.statistics, { query: { OwnerId }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
