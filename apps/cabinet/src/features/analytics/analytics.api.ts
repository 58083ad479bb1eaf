import { analytics, type AnalyticsDimension, type AnalyticsFigures } from '@heliograph/contract';
import { isTimeZone } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { periodBounds } from '../../core/period.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';
import { rowsBy } from '../../core/rows-by.ts';
import { timeZone } from '../../core/time-zone.ts';

const QUARTER_MS = 15 * 60_000;

interface Asked {
  by: AnalyticsDimension;
  /** A name of one, or two local dates: `2026-01-01..2026-01-31`. */
  period: string;
  /** Beside the time of the same length before. */
  isCompared: boolean;
  /** Groups; those with the most messages. */
  rows?: number;
}

export function analyticsQuery({ by, period, isCompared, rows }: Asked, now = Date.now()) {
  const { from, to = Math.ceil(now / QUARTER_MS) * QUARTER_MS } = periodBounds(period, now)!;
  const time = (at: number) => new Date(at).toISOString();
  const zone = timeZone();
  const query = {
    by,
    from: time(from!),
    to: time(to),
    ...(rows && { rows }),
    ...(isTimeZone(zone) && { timeZone: zone }),
    ...(isCompared && { beforeFrom: time(2 * from! - to), beforeTo: time(from!) }),
  };
  return queryOptions({
    queryKey: keysOf('analytics').of('get', query),
    queryFn: ({ signal }) => api(analytics.get, { query, signal }),
    placeholderData: rowsBy(by),
    refetchInterval: pollEvery(30_000),
  });
}

/** The messages, without those that were cancelled before they were sent. */
export const messageCount = ({ messages, cancelled }: AnalyticsFigures): number =>
  messages - cancelled;
