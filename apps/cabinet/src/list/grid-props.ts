import type { ReactNode } from 'react';
import type { To } from 'react-router';
import type { GridColumn } from './grid-column.ts';
import type { ListControl } from './use-list-state.ts';
import type { List } from './use-list.ts';
import type { Selection } from './use-selection.ts';

export interface GridProps<T extends { id: string; updatedAt?: string }> {
  /** Names the table for those who cannot see it. */
  caption: string;
  columns: GridColumn<T>[];
  list: List<T>;
  control: ListControl;
  /** What stands in place of rows when the account has none yet. */
  empty: ReactNode;
  /** What stands there when the filters leave nothing; without it a sentence in general. */
  noResults?: ReactNode;
  /** The row's own page or drawer; the first cell becomes its link. */
  rowTo?: (row: T) => To;
  /** Buttons at the end of a row. */
  actions?: (row: T) => ReactNode;
  actionsWidth?: number;
  /** Buttons for the rows that were ticked; with it every row has a box. */
  bulk?: (rows: T[]) => ReactNode;
  /** Ids of rows that are no more: they are ticked no longer. */
  gone?: ReadonlySet<string>;
}

/** What the two ways to draw rows are given beyond it. */
export interface ViewProps<T extends { id: string; updatedAt?: string }> extends GridProps<T> {
  fresh: ReadonlySet<string>;
  /** Absent where rows cannot be ticked. */
  selection?: Selection<T>;
}

/** What one row of them needs: nothing that changes while the row does not. */
export interface RowViewProps<T extends { id: string; updatedAt?: string }> extends Pick<
  GridProps<T>,
  'columns' | 'rowTo' | 'actions'
> {
  row: T;
  isFresh: boolean;
  isTicked: boolean;
  /** Absent where rows cannot be ticked. */
  onTick?: Selection<T>['toggle'];
}
