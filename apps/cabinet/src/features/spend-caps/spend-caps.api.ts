import { spendCaps, tokens } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { sendBody } from '../../core/row-calls.ts';

/** Under the noun of the ledger: a charge or a refund moves what is spent. */
export const capsQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('billings').of('caps', OwnerId),
    queryFn: ({ signal }) => api(spendCaps.find, { query: { OwnerId }, signal }),
  });

const MAX_TOKENS = 200;

/** The API tokens that a cap can be set for. */
export const cappedTokensQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('tokens').of('capped', OwnerId),
    queryFn: ({ signal }) =>
      api(tokens.find, { query: { filter: { OwnerId }, limit: MAX_TOKENS }, signal }),
  });

export const useSetCaps = sendBody(spendCaps.set, 'billings', 'audit');
