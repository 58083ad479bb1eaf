import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue, useMemo, useRef } from 'react';
import { CardList } from './card-list.tsx';
import type { GridProps } from './grid-props.ts';
import { GridTable } from './grid-table.tsx';
import { ListBar } from './list-bar.tsx';
import { ListStatus } from './list-status.tsx';
import { shownColumns } from '../state/view-settings.ts';
import { useHighlights } from '../state/use-highlights.ts';
import { useStableRows } from '../state/use-stable-rows.ts';
import { useListKeys } from './use-list-keys.ts';
import { useSelection } from '../state/use-selection.ts';

/** Rows as a table, below 768 px as cards, with the loading, failed and empty states of a list. */
export function DataGrid<T extends { id: string; updatedAt?: string }>(props: GridProps<T>) {
  const { control, columns, bulk, filters, above, rowTo, actions } = props;
  const { columns: chosen } = control.viewSettings;
  const cards = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const hasSelection = useRef(false);
  const { list, newCount, showNew } = useStableRows(props.list, hasSelection.current);
  const highlighted = useHighlights(list.rows, list.requestKey);
  const selection = useSelection(list, control, props.removed);
  hasSelection.current = selection.rows.length > 0;
  // Many rows are slow to draw, so the rest of the page is painted first. A selection is drawn at once.
  const { rows, loading, fetching, error } = list;
  const state = useMemo(
    () => ({ rows, loading, fetching, error }),
    [rows, loading, fetching, error],
  );
  const drawn = useMemo(
    () => ({ state, columns, rowTo, actions }),
    [state, columns, rowTo, actions],
  );
  const settled = useDeferredValue(drawn);
  const shown = useMemo(() => shownColumns(settled.columns, chosen), [settled.columns, chosen]);
  useListKeys(list, bulk && selection);
  const View = cards ? CardList : GridTable;
  return (
    <>
      <ListBar
        columns={columns}
        list={list}
        control={control}
        selection={selection}
        bulk={bulk}
        filters={filters}
        newCount={newCount}
        onShowNew={showNew}
      />
      {above}
      <ListStatus {...props} list={list}>
        <View
          {...props}
          rowTo={settled.rowTo}
          actions={settled.actions}
          list={{ ...list, ...settled.state }}
          columns={shown}
          highlighted={highlighted}
          selection={bulk ? selection : undefined}
        />
      </ListStatus>
    </>
  );
}
