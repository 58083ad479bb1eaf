import type { Billing, ReportWhere } from '@heliograph/contract';
import { periodBounds } from '../../core/period.ts';
import type { ListState } from '../../list/state/list-state.ts';

type Filtered = Pick<ListState, 'filters' | 'period' | 'search'>;

/** The filter of the list as that of its totals. A preset is counted back from the minute, so that the query stays the same in it. */
export function filterOf({ filters: { status, source, id, OwnerId }, period, search }: Filtered) {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const { from, to } = (period && periodBounds(period, now)) || {};
  const at = (time: number) => new Date(time).toISOString();
  return {
    ...(search && { search }),
    filter: {
      ...(status && { status: status as Billing['status'][] }),
      ...(source && { source: source as Billing['source'][] }),
      ...(id && { id }),
      ...(OwnerId && { OwnerId: OwnerId[0]! }),
    },
    range: {
      createdAt: { ...(from && { $gt: at(from) }), ...(to && { $lt: at(to) }) },
    },
  };
}

/** The filter of the list as that of a report. */
export function reportWhere({
  filters: { status, source, id, OwnerId },
  search,
}: Pick<ListState, 'filters' | 'search'>): ReportWhere {
  return {
    ...(search && { search }),
    ...(status && { status }),
    ...(source && { source: source as Billing['source'][] }),
    ...(id && { id }),
    ...(OwnerId && { OwnerId: OwnerId[0]! }),
  };
}
