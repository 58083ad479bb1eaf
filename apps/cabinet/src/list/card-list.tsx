import { Group, Skeleton } from '@mantine/core';
import { cx } from '../ui/cx.ts';
import { Link } from 'react-router';
import type { GridProps } from './grid-props.ts';
import classes from './grid.module.css';

interface CardListProps<T extends { id: string; updatedAt?: string }> extends GridProps<T> {
  fresh: ReadonlySet<string>;
}

/** The same rows where a table would have to be scrolled sideways. */
export function CardList<T extends { id: string; updatedAt?: string }>(props: CardListProps<T>) {
  const { caption, columns, list, rowTo, actions, fresh, control } = props;
  const heading = columns.find((c) => c.card === 'title') ?? columns[0]!;
  const fields = columns.filter((c) => c !== heading && c.card !== 'hidden');
  if (list.loading) {
    return (
      <div className={classes.cards} aria-busy aria-label={caption}>
        {Array.from({ length: control.state.size }, (_, index) => (
          <Skeleton key={index} height={132} radius="md" />
        ))}
      </div>
    );
  }
  return (
    <ul className={cx(classes.cards, !!list.error && classes.dimmed)} aria-label={caption}>
      {list.rows.map((row) => (
        <li key={row.id} className={classes.card} data-fresh={fresh.has(row.id) || undefined}>
          <Group justify="space-between" gap="xs" fw={600}>
            {rowTo ? (
              <Link className={classes.link} to={rowTo(row)} preventScrollReset>
                {heading.cell(row)}
              </Link>
            ) : (
              heading.cell(row)
            )}
          </Group>
          <dl className={classes.cardFields}>
            {fields.map((column) => (
              <div
                key={column.id}
                className={cx(classes.cardField, column.card === 'wide' && classes.wide)}
              >
                <dt>{column.header}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions && (
            <Group gap="xs" mt="sm">
              {actions(row)}
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}
