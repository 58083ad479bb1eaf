import type { ReactNode } from 'react';
import type { To } from 'react-router';
import type { GridColumn } from './grid-column.ts';
import type { ListControl } from '../state/use-list-state.ts';
import type { List } from '../state/use-list.ts';
import type { Selection } from '../state/use-selection.ts';

export interface GridProps<T extends { id: string; updatedAt?: string }> {
  /** The table's accessible name. */
  caption: string;
  columns: GridColumn<T>[];
  list: List<T>;
  control: ListControl;
  /** On the line above the rows; they give way to the actions for selected rows. */
  filters?: ReactNode;
  /** Between that line and the rows. */
  above?: ReactNode;
  /** Shown in place of rows when the account has none yet. */
  empty: ReactNode;
  /** Shown when no row matches the filters; a general sentence by default. */
  noResults?: ReactNode;
  /** The row's own page or drawer; the first cell becomes its link. */
  rowTo?: (row: T) => To;
  /** Buttons at the end of a row. */
  actions?: (row: T) => ReactNode;
  actionsWidth?: number;
  /** Buttons for the selected rows; with it every row has a checkbox. */
  bulk?: (rows: T[], clear: () => void) => ReactNode;
  /** Ids of removed rows: they leave the selection. */
  removed?: ReadonlySet<string>;
}

/** Props of the table and of the cards. */
export interface ViewProps<T extends { id: string; updatedAt?: string }> extends GridProps<T> {
  highlighted: ReadonlySet<string>;
  /** Absent where rows cannot be selected. */
  selection?: Selection<T>;
}

/** Props of one row: nothing that changes while the row does not, so that it stays memoised. */
export interface RowViewProps<T extends { id: string; updatedAt?: string }> extends Pick<
  GridProps<T>,
  'columns' | 'rowTo' | 'actions'
> {
  row: T;
  isHighlighted: boolean;
  isSelected: boolean;
  /** Absent where rows cannot be selected. */
  onToggle?: Selection<T>['toggle'];
}
