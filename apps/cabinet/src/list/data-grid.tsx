import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue, useMemo, useRef } from 'react';
import { CardList } from './card-list.tsx';
import type { GridProps } from './grid-props.ts';
import { GridTable } from './grid-table.tsx';
import { ListBar } from './list-bar.tsx';
import { ListStatus } from './list-status.tsx';
import { shownColumns } from './look.ts';
import { useFresh } from './use-fresh.ts';
import { useHeld } from './use-held.ts';
import { useListKeys } from './use-list-keys.ts';
import { useSelection } from './use-selection.ts';

/** Rows as a table, below 768 px as cards; loading, failed and empty lists alike. */
export function DataGrid<T extends { id: string; updatedAt?: string }>(props: GridProps<T>) {
  const { control, columns, bulk } = props;
  const { columns: chosen } = control.look;
  const cards = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const isTicked = useRef(false);
  const { list, waiting, letIn } = useHeld(props.list, isTicked.current);
  const fresh = useFresh(list.rows, list.askKey);
  const selection = useSelection(list, control, props.gone);
  isTicked.current = selection.rows.length > 0;
  // Rows are many: what else there is to show is painted first. Ticks do not wait.
  const given = useMemo(() => ({ ...props, list }), [props, list]);
  const settled = useDeferredValue(given);
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
        waiting={waiting}
        onLetIn={letIn}
      />
      <ListStatus {...props} list={list}>
        <View {...settled} columns={shown} fresh={fresh} selection={bulk ? selection : undefined} />
      </ListStatus>
    </>
  );
}
