import type { FindEndpoint, ListSpec, RowOf } from './list-spec.ts';
import { useList, type List } from './use-list.ts';
import { useListState, type ListControl } from './use-list-state.ts';

/** The state of a list in the URL, and the rows that it selects. */
export interface ListPageState<T> {
  control: ListControl;
  list: List<T>;
}

/** `fixed` are filters that the user cannot change. */
export function useListPage<E extends FindEndpoint>(
  spec: ListSpec<E>,
  fixed?: Record<string, unknown>,
): ListPageState<RowOf<E>> {
  const control = useListState(spec);
  return { control, list: useList(spec, control, fixed) };
}
