import { Group, Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '../ui/cx.ts';
import { Cell } from './cell.tsx';
import type { RowViewProps, ViewProps } from './grid-props.ts';
import classes from './grid.module.css';
import { rowProps } from './row-props.ts';
import { RowBox } from './row-box.tsx';

/** The same rows where a table would have to be scrolled sideways. */
export function CardList<T extends { id: string; updatedAt?: string }>(props: ViewProps<T>) {
  const { caption, columns, list, rowTo, actions, control, fresh, selection } = props;
  if (list.loading) {
    return (
      <div className={classes.cards} aria-busy role="group" aria-label={caption}>
        {Array.from({ length: control.state.size }, (_, index) => (
          <Skeleton key={index} height={132} radius="md" />
        ))}
      </div>
    );
  }
  return (
    <ul
      className={cx(classes.cards, !!list.error && classes.dimmed)}
      aria-label={caption}
      data-density={control.look.density}
    >
      {list.rows.map((row) => (
        <Card
          key={row.id}
          row={row}
          columns={columns}
          rowTo={rowTo}
          actions={actions}
          isFresh={fresh.has(row.id)}
          isTicked={selection?.has(row.id) ?? false}
          onTick={selection?.toggle}
        />
      ))}
    </ul>
  );
}

/** Drawn anew only when something of it changes. */
const Card = memo(function Card<T extends { id: string }>(props: RowViewProps<T>) {
  const { row, columns, rowTo, actions, isFresh, isTicked, onTick } = props;
  const heading = columns.find((c) => c.card === 'title') ?? columns[0]!;
  const fields = columns.filter((c) => c !== heading && c.card !== 'hidden');
  return (
    <li className={classes.card} {...rowProps(row.id, isFresh, isTicked)}>
      <Group justify="space-between" gap="xs" fw={600} wrap="nowrap">
        {rowTo ? (
          <Link className={classes.link} to={rowTo(row)} preventScrollReset>
            <Cell column={heading} row={row} />
          </Link>
        ) : (
          <span>
            <Cell column={heading} row={row} />
          </span>
        )}
        {onTick && <RowBox row={row} isTicked={isTicked} onTick={onTick} />}
      </Group>
      <dl className={classes.cardFields}>
        {fields.map((column) => (
          <div
            key={column.id}
            className={cx(classes.cardField, column.card === 'wide' && classes.wide)}
          >
            <dt>{column.header}</dt>
            <dd>
              <Cell column={column} row={row} />
            </dd>
          </div>
        ))}
      </dl>
      {actions && (
        <Group gap="xs" mt="sm">
          {actions(row)}
        </Group>
      )}
    </li>
  );
}) as <T extends { id: string }>(props: RowViewProps<T>) => ReactNode;
