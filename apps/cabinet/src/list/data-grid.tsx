import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { To } from 'react-router';
import { CardList } from './card-list.tsx';
import { GridTable } from './grid-table.tsx';
import type { GridColumn } from './grid-column.ts';
import { ListStatus } from './list-status.tsx';
import type { ListControl } from './use-list-state.ts';
import type { List } from './use-list.ts';
import { useFresh } from './use-fresh.ts';

export interface GridProps<T extends { id: string; updatedAt?: string }> {
  /** Names the table for those who cannot see it. */
  caption: string;
  columns: GridColumn<T>[];
  list: List<T>;
  control: ListControl;
  /** What stands in place of rows when the account has none yet. */
  empty: ReactNode;
  /** The row's own page or drawer; the first cell becomes its link. */
  rowTo?: (row: T) => To;
  /** Buttons at the end of a row. */
  actions?: (row: T) => ReactNode;
  actionsWidth?: number;
}

/** Rows as a table, below 768 px as cards; loading, failed and empty lists alike. */
export function DataGrid<T extends { id: string; updatedAt?: string }>(props: GridProps<T>) {
  const { list, control, empty } = props;
  const cards = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const fresh = useFresh(list.rows, list.askKey);
  const View = cards ? CardList : GridTable;
  return (
    <ListStatus list={list} control={control} empty={empty}>
      <View {...props} fresh={fresh} />
    </ListStatus>
  );
}
