import { Table, UnstyledButton } from '@mantine/core';
import { cx } from '../../ui/cx.ts';
import { IconArrowDown, IconArrowUp, IconSortable } from '../../ui/icons.ts';
import type { GridColumn } from './grid-column.ts';
import classes from './grid.module.css';
import type { ListOrder } from '../state/list-state.ts';

interface SortHeaderProps {
  column: Pick<GridColumn<never>, 'header' | 'sortable' | 'align' | 'width' | 'hideBelow'>;
  sorted: 'asc' | 'desc' | false;
  onSort: (direction: ListOrder['direction']) => void;
}

const ICONS = { asc: IconArrowUp, desc: IconArrowDown };
const ARIA = { asc: 'ascending', desc: 'descending' } as const;

/** A column header: `aria-sort` is on the cell, the click on a button inside it. */
export function SortHeader({ column, sorted, onSort }: SortHeaderProps) {
  const { header, sortable, align, width, hideBelow } = column;
  const SortIcon = sorted ? ICONS[sorted] : IconSortable;
  return (
    <Table.Th
      scope="col"
      w={width}
      visibleFrom={hideBelow}
      className={cx(align === 'end' && classes.end)}
      aria-sort={sortable && sorted ? ARIA[sorted] : undefined}
    >
      {sortable ? (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort(sorted === 'desc' ? 'asc' : 'desc')}
        >
          {header}
          <SortIcon size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        header
      )}
    </Table.Th>
  );
}
