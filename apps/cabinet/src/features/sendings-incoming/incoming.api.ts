import { SendingType, sendingsIncoming } from '@heliograph/contract';
import { rowQuery } from '../../core/row-calls.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const incomingSpec = listSpec(sendingsIncoming.find, {
  filters: { type: manyOf(SendingType.options), OwnerId: text },
  order: ['createdAt'],
  period: 'createdAt',
  search: true,
});

export const incomingQuery = rowQuery('sendingsIncoming', sendingsIncoming.get);
