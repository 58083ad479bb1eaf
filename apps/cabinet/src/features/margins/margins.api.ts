import { margins, type MarginGroup, type SendingType } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowsBy } from '../../core/rows-by.ts';

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
    placeholderData: rowsBy(query.by),
  });
