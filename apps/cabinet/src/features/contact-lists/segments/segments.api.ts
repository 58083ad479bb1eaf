import { segments, type Segment, type SegmentRules } from '@heliograph/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { actOnRow, saveRow } from '../../../core/row-calls.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../../list/state/list-spec.ts';
import { findQuery } from '../../../list/state/use-list.ts';

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

/** As many are offered; an account with more of them names its segments by their ids. */
const MAX_OFFERED = 100;

/** The segments of the account, newest first; undefined while they are loading, and none where they may not be seen. */
export function useOwnSegments(): Segment[] | undefined {
  const { OwnerId } = useSettings().session;
  const { data, isLoading } = useQuery({
    ...findQuery(segmentSpec, {
      limit: MAX_OFFERED,
      order: [{ field: 'createdAt', direction: 'desc' }],
      filter: { OwnerId },
    }),
    enabled: useCan()('contactLists.get'),
  });
  return isLoading ? undefined : (data?.data ?? []);
}
