import { shareShifts } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';

const SHIFTS = 10;

/** The last shifts of shares of a route or a channel. */
export const shiftsQuery = (of: { RouteId: string } | { ChannelId: string }) =>
  queryOptions({
    queryKey: keysOf('shareShifts').of('last', of),
    queryFn: ({ signal }) =>
      api(shareShifts.find, {
        query: {
          limit: SHIFTS,
          filter: 'RouteId' in of ? { RouteId: [of.RouteId] } : { ChannelId: [of.ChannelId] },
        },
        signal,
      }),
  });
