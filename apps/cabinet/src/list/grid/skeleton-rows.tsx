import { Skeleton, Table } from '@mantine/core';
import type { GridColumn } from './grid-column.ts';
import classes from './grid.module.css';

interface SkeletonRowsProps {
  rows: number;
  columns: Pick<GridColumn<never>, 'id' | 'align' | 'hideBelow'>[];
  /** Cells without a value: the checkbox at the start, the buttons at the end. */
  before: 0 | 1;
  after: 0 | 1;
}

/** As many rows as the page will have, so that nothing moves when they are loaded. */
export function SkeletonRows({ rows, columns, before, after }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, index) => (
    <Table.Tr key={index} aria-hidden>
      {before === 1 && <Table.Td />}
      {columns.map((column) => (
        <Table.Td key={column.id} className={classes.cell} visibleFrom={column.hideBelow}>
          <Skeleton
            height={12}
            width={`${60 + ((index * 7 + column.id.length * 11) % 35)}%`}
            ml={column.align === 'end' ? 'auto' : undefined}
          />
        </Table.Td>
      ))}
      {after === 1 && <Table.Td />}
    </Table.Tr>
  ));
}
