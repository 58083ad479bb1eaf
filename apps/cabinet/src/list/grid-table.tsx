import { Table } from '@mantine/core';
import { rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { cx } from '../ui/cx.ts';
import { useMemo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { GridProps } from './grid-props.ts';
import classes from './grid.module.css';
import { SkeletonRows } from './skeleton-rows.tsx';
import { SortHeader } from './sort-header.tsx';

// The server sorts, filters and pages; the table holds the columns and their state.
const features = tableFeatures({ rowSortingFeature });

interface GridTableProps<T extends { id: string; updatedAt?: string }> extends GridProps<T> {
  fresh: ReadonlySet<string>;
}

export function GridTable<T extends { id: string; updatedAt?: string }>(props: GridTableProps<T>) {
  const { caption, columns, list, control, rowTo, actions, actionsWidth, fresh } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { order, size } = control.state;
  const defs = useMemo(
    () =>
      columns.map((c): ColumnDef<typeof features, T> => ({
        id: c.id,
        header: c.header,
        enableSorting: c.sortable ?? false,
        cell: ({ row }) => c.cell(row.original),
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: defs,
    data: list.rows,
    getRowId: (row) => row.id,
    manualSorting: true,
    state: { sorting: [{ id: order.field, desc: order.direction === 'desc' }] },
  });
  const columnOf = new Map(columns.map((c) => [c.id, c]));

  // A convenience for the mouse; keyboards and screen readers use the link in the first cell.
  const open = (row: T) => (event: MouseEvent<HTMLTableRowElement>) => {
    const target = event.target as HTMLElement;
    if (!rowTo || target.closest('a, button, input, label') || getSelection()?.toString()) return;
    void navigate(rowTo(row));
  };

  return (
    <div className={classes.scroll}>
      {list.fetching && !list.loading && <div className={classes.bar} aria-hidden />}
      <Table
        className={classes.table}
        highlightOnHover={!!rowTo}
        aria-busy={list.loading}
        aria-rowcount={list.totalIsCapped ? -1 : list.total + 1}
      >
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <SortHeader
                  key={header.id}
                  column={columnOf.get(header.id)!}
                  sorted={header.column.getIsSorted()}
                  onSort={(direction) => control.set({ order: { field: header.id, direction } })}
                />
              ))}
              {actions && (
                <Table.Th scope="col" w={actionsWidth}>
                  <span className="visually-hidden">{t('list:actions')}</span>
                </Table.Th>
              )}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody className={cx(!!list.error && classes.dimmed)}>
          {list.loading && <SkeletonRows rows={size} columns={columns} actions={!!actions} />}
          {table.getRowModel().rows.map((row) => (
            <Table.Tr
              key={row.id}
              className={classes.row}
              data-fresh={fresh.has(row.id) || undefined}
              data-clickable={!!rowTo || undefined}
              onClick={open(row.original)}
            >
              {row.getAllCells().map((cell, index) => {
                const { align, hideBelow } = columnOf.get(cell.column.id)!;
                const content = <table.FlexRender cell={cell} />;
                return (
                  <Table.Td
                    key={cell.id}
                    className={cx(classes.cell, align === 'end' && classes.end)}
                    visibleFrom={hideBelow}
                  >
                    {index === 0 && rowTo ? (
                      <Link className={classes.link} to={rowTo(row.original)} preventScrollReset>
                        {content}
                      </Link>
                    ) : (
                      content
                    )}
                  </Table.Td>
                );
              })}
              {actions && <Table.Td className={classes.end}>{actions(row.original)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
