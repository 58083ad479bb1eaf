import { segments, type SegmentRules } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { actOnRow, saveRow } from '../../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../../list/state/list-spec.ts';

export const segmentSpec = listSpec(segments.find, {
  filters: { OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

/** A count is that of now, and is asked for again when it is shown again. */
export const segmentCountQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('segments').of('count', id),
    queryFn: ({ signal }) => api(segments.count, { params: { id }, signal }),
  });

/** Of conditions that are not saved, in the own account. */
export const rulesCountQuery = (rules: SegmentRules) =>
  queryOptions({
    queryKey: keysOf('segments').of('count', rules),
    queryFn: ({ signal }) => api(segments.preview, { body: rules, signal }),
  });

export const useSaveSegment = saveRow(segments, 'segments');

export const useRemoveSegment = actOnRow(segments.remove, 'segments');
