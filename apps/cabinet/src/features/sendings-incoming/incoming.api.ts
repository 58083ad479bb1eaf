import { SendingType, sendingsIncoming } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const incomingSpec = listSpec(sendingsIncoming.find, {
  filters: { type: manyOf(SendingType.options), OwnerId: text },
  order: ['createdAt'],
  period: 'createdAt',
  search: true,
});

export const incomingQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('sendingsIncoming').get(id),
    queryFn: ({ signal }) => api(sendingsIncoming.get, { params: { id }, signal }),
  });
