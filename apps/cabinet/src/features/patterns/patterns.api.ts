import { patterns, SendingType } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const patternSpec = listSpec(patterns.find, {
  filters: { type: manyOf(SendingType.options), group: manyOf(TRAFFIC_GROUPS), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
});

export const patternQuery = rowQuery('patterns', patterns.get);

export const useCreatePattern = sendBody(patterns.create, 'patterns', 'users');

/** It stays with the account that it was registered for. */
export const useUpdatePattern = changeRow(patterns.update, 'patterns', 'users');

export const useRemovePattern = actOnRow(patterns.remove, 'patterns', 'users');
