import { Skeleton, Table } from '@mantine/core';
import type { GridColumn } from './grid-column.ts';
import classes from './grid.module.css';

interface SkeletonRowsProps {
  rows: number;
  columns: Pick<GridColumn<never>, 'id' | 'hideBelow'>[];
  actions: boolean;
}

/** As many rows as the page will have, so that nothing moves when they come. */
export function SkeletonRows({ rows, columns, actions }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, index) => (
    <Table.Tr key={index} aria-hidden>
      {columns.map((column) => (
        <Table.Td key={column.id} className={classes.cell} visibleFrom={column.hideBelow}>
          <Skeleton height={12} width={`${60 + ((index * 7 + column.id.length * 11) % 35)}%`} />
        </Table.Td>
      ))}
      {actions && <Table.Td />}
    </Table.Tr>
  ));
}
