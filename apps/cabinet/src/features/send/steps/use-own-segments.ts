import type { Segment } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useCan, useSettings } from '../../../core/settings.ts';
import { findQuery } from '../../../list/state/use-list.ts';
import { segmentSpec } from '../../contact-lists/segments/segments.api.ts';

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
