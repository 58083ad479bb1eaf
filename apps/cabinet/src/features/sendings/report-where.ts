import type { ReportWhere } from '@heliograph/contract';
import type { ListState } from '../../list/state/list-state.ts';

const LIST_FILTERS = ['status', 'outcome', 'type'];

/** The filter of the list of messages as that of a report. The time of the last change is no filter of reports. */
export function reportWhere({ filters }: Pick<ListState, 'filters'>): ReportWhere {
  const { updatedAt: _, ...own } = filters;
  return Object.fromEntries(
    Object.entries(own).map(([name, values]) => [
      name,
      LIST_FILTERS.includes(name) ? values : values[0],
    ]),
  );
}
