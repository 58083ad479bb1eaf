import { Group, Table, Skeleton } from '@mantine/core';
import { memo, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { Cell } from './cell.tsx';
import { GridCheckbox } from './grid-checkbox.tsx';
import type { GridColumn } from './grid-column.ts';
import type { RowViewProps, ViewProps } from './grid-props.ts';
import classes from './grid.module.css';
import { RowCheckbox } from './row-checkbox.tsx';
import { rowNameId, rowProps } from './row-props.ts';
import { SortHeader } from './sort-header.tsx';
import { useOpenRow } from './use-open-row.ts';

interface Row {
  id: string;
  updatedAt?: string;
}

/** The server sorts, filters and pages, so the table is markup alone. */
export function GridTable<T extends Row>(props: ViewProps<T>) {
  const { caption, columns, list, control, actions, selection } = props;
  const { size } = control.state;
  return (
    <div className={classes.scroll} data-coming={list.loading || undefined}>
      {list.fetching && !list.loading && <div className={classes.bar} aria-hidden />}
      <Table
        className={classes.table}
        style={leastWidths(props)}
        data-density={control.viewSettings.density}
        highlightOnHover={!!props.rowTo}
        aria-busy={list.loading}
      >
        <caption className="visually-hidden">{caption}</caption>
        <HeadRow {...props} />
        <Table.Tbody className={cx(!!list.error && classes.dimmed)}>
          {list.loading && (
            <SkeletonRows
              rows={size}
              columns={columns}
              before={selection ? 1 : 0}
              after={actions ? 1 : 0}
            />
          )}
          {list.rows.map((row) => (
            <BodyRow
              key={row.id}
              row={row}
              columns={columns}
              rowTo={props.rowTo}
              actions={actions}
              isHighlighted={props.highlighted.has(row.id)}
              isSelected={selection?.has(row.id) ?? false}
              onToggle={selection?.toggle}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Of a column that shares what is left, in pixels. */
const LEAST_WIDTH = 100;
const SELECTION_WIDTH = 44;
const WINDOWS = ['md', 'lg', 'xl'] as const;

/** What the columns need in a window of each width: the table scrolls in one that is too narrow, and no column is pressed to nothing. */
function leastWidths<T extends Row>(props: ViewProps<T>) {
  const { columns, selection, actions, actionsWidth = LEAST_WIDTH } = props;
  const least = (shown: GridColumn<T>[]) =>
    shown.reduce(
      (sum, { width = LEAST_WIDTH }) => sum + width,
      (selection ? SELECTION_WIDTH : 0) + (actions ? actionsWidth : 0),
    );
  const widths = WINDOWS.map((window, i) => [
    `--least-${window}`,
    `${least(columns.filter(({ hideBelow }) => !hideBelow || WINDOWS.indexOf(hideBelow) <= i))}px`,
  ]);
  return {
    '--least': `${least(columns.filter(({ hideBelow }) => !hideBelow))}px`,
    ...Object.fromEntries(widths),
  };
}

function HeadRow<T extends Row>(props: ViewProps<T>) {
  const { columns, list, control, actions, actionsWidth, selection } = props;
  const { t } = useTranslation();
  const { order } = control.state;
  const selectedCount = selection ? list.rows.filter((row) => selection.has(row.id)).length : 0;
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th scope="col" w={SELECTION_WIDTH} px={0}>
            <GridCheckbox
              label={t('list:select.page')}
              checked={selectedCount > 0 && selectedCount === list.rows.length}
              indeterminate={selectedCount > 0 && selectedCount < list.rows.length}
              onToggle={selection.togglePage}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <SortHeader
            key={column.id}
            column={column}
            sorted={order.field === column.id && order.direction}
            onSort={(direction) => control.set({ order: { field: column.id, direction } })}
          />
        ))}
        {actions && (
          <Table.Th scope="col" w={actionsWidth}>
            <span className="visually-hidden">{t('list:actions')}</span>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

/** Memoised: drawn again only when its own props change, and its cells and buttons not when it is selected. */
const BodyRow = memo(function BodyRow<T extends Row>(props: RowViewProps<T>) {
  const { row, columns, rowTo, actions, isHighlighted, isSelected, onToggle } = props;
  const open = useOpenRow(row, rowTo);
  const cells = useMemo(
    () =>
      columns.map((column, index) => {
        const frame = {
          className: cx(classes.cell, column.align === 'end' && classes.end),
          visibleFrom: column.hideBelow,
        };
        const cell = <Cell column={column} row={row} />;
        if (index > 0)
          return (
            <Table.Td key={column.id} {...frame}>
              {cell}
            </Table.Td>
          );
        // The name of the row, which screen readers say with every cell of it.
        return (
          <Table.Th key={column.id} scope="row" id={rowNameId(row.id)} fw="inherit" {...frame}>
            {rowTo ? (
              <Link className={classes.link} to={rowTo(row)} preventScrollReset>
                {cell}
              </Link>
            ) : (
              cell
            )}
          </Table.Th>
        );
      }),
    [columns, row, rowTo],
  );
  const buttons = useMemo(
    () =>
      actions && (
        <Table.Td className={classes.acts} data-actions>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            {actions(row)}
          </Group>
        </Table.Td>
      ),
    [actions, row],
  );
  return (
    <Table.Tr
      className={classes.row}
      {...rowProps(row.id, isHighlighted, isSelected)}
      data-clickable={!!rowTo || undefined}
      onClick={open}
    >
      {onToggle && (
        <Table.Td px={0}>
          <RowCheckbox row={row} isSelected={isSelected} onToggle={onToggle} />
        </Table.Td>
      )}
      {cells}
      {buttons}
    </Table.Tr>
  );
}) as <T extends Row>(props: RowViewProps<T>) => ReactNode;

interface SkeletonRowsProps {
  rows: number;
  columns: Pick<GridColumn<never>, 'id' | 'align' | 'hideBelow'>[];
  /** Cells without a value: the checkbox at the start, the buttons at the end. */
  before: 0 | 1;
  after: 0 | 1;
}

/** As many rows as the page will have, so that nothing moves when they are loaded. */
function SkeletonRows({ rows, columns, before, after }: SkeletonRowsProps) {
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
