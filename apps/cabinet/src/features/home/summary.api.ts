import { summary } from '@heliograph/contract';
import { isTimeZone } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { periodBounds } from '../../core/period.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';
import { timeZone } from '../../core/time-zone.ts';

/** The day starts at midnight in the user's time zone. */
const today = (): string => new Date(periodBounds('today', Date.now())!.from!).toISOString();

export const summaryQuery = () => {
  const zone = timeZone();
  const query = { from: today(), ...(isTimeZone(zone) && { timeZone: zone }) };
  return queryOptions({
    queryKey: keysOf('summary').of('get', query),
    queryFn: ({ signal }) => api(summary.get, { query, signal }),
    refetchInterval: pollEvery(30_000),
  });
};
