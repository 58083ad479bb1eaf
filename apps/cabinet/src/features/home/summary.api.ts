import { summary } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { periodBounds } from '../../core/period.ts';
import { keysOf } from '../../core/query-keys.ts';

/** The day starts at midnight in the user's time zone. */
const today = (): string => new Date(periodBounds('today', Date.now())!.from!).toISOString();

export const summaryQuery = () => {
  const from = today();
  return queryOptions({
    queryKey: keysOf('summary').of('get', from),
    queryFn: ({ signal }) => api(summary.get, { query: { from }, signal }),
    refetchInterval: 30_000,
  });
};
