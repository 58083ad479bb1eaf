import { margins, type MarginGroup, type SendingType } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';

export interface MarginsAsked {
  /** Days of UTC, both inclusive. */
  from: string;
  to: string;
  by: MarginGroup;
  OwnerId?: string;
  ChannelId?: string;
  type?: SendingType;
  country?: string;
  mccmnc?: string;
}

export const marginsQuery = (query: MarginsAsked) =>
  queryOptions({
    queryKey: keysOf('margins').of('get', query),
    queryFn: ({ signal }) => api(margins.get, { query, signal }),
    // Rows of another group would be named by the wrong words.
    placeholderData: (rows, former) =>
      (former?.queryKey[2] as { by?: string } | undefined)?.by === query.by ? rows : undefined,
  });
