import { Group, Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { Cell } from './cell.tsx';
import type { GridColumn } from './grid-column.ts';
import type { RowViewProps, ViewProps } from './grid-props.ts';
import classes from './grid.module.css';
import { rowNameId, rowProps } from './row-props.ts';
import { useOpenRow } from './use-open-row.ts';
import { RowCheckbox } from './row-checkbox.tsx';

const EMPTY: unknown[] = [null, undefined, false, ''];
const LABELS_SHOWN: GridColumn<never>['card'][] = [undefined, 'wide'];
const BELOW: GridColumn<never>['card'][] = [...LABELS_SHOWN, 'body'];

/** The rows as cards, for screens where a table would scroll sideways. */
export function CardList<T extends { id: string; updatedAt?: string }>(props: ViewProps<T>) {
  const { caption, columns, list, rowTo, actions, control, highlighted, selection } = props;
  if (list.loading) {
    return (
      <div className={classes.cards} aria-busy role="group" aria-label={caption} data-coming>
        {Array.from({ length: control.state.size }, (_, index) => (
          <CardToCome key={index} columns={columns} hasActions={!!actions} />
        ))}
      </div>
    );
  }
  return (
    <ul
      className={cx(classes.cards, !!list.error && classes.dimmed)}
      aria-label={caption}
      data-density={control.viewSettings.density}
    >
      {list.rows.map((row) => (
        <Card
          key={row.id}
          row={row}
          columns={columns}
          rowTo={rowTo}
          actions={actions}
          isHighlighted={highlighted.has(row.id)}
          isSelected={selection?.has(row.id) ?? false}
          onToggle={selection?.toggle}
        />
      ))}
    </ul>
  );
}

interface CardToComeProps {
  columns: Pick<GridColumn<never>, 'id' | 'card' | 'isRare'>[];
  hasActions: boolean;
}

/** About as high as the card will be, by what the columns put on it. */
function CardToCome({ columns, hasActions }: CardToComeProps) {
  const of = (kind: GridColumn<never>['card']) =>
    columns.filter(({ card, isRare }) => card === kind && !isRare);
  const has = (kind: GridColumn<never>['card']) => of(kind).length > 0;
  const fields = of(undefined).length;
  return (
    <div className={classes.card} aria-hidden>
      <div className={classes.lineToCome}>
        <Skeleton height={14} width="45%" />
        {has('end') && <Skeleton height={14} width="25%" />}
      </div>
      {has('note') && (
        <div className={classes.lineToCome}>
          <Skeleton height={10} width="60%" />
        </div>
      )}
      {(has('wide') || has('body')) && (
        <div className={classes.lineToCome}>
          <Skeleton height={10} width="85%" />
        </div>
      )}
      {Array.from({ length: Math.ceil(fields / 2) }, (_, index) => (
        <div key={index} className={classes.fieldsToCome}>
          <Skeleton height={10} width="40%" />
          <Skeleton height={10} width="40%" />
        </div>
      ))}
      {hasActions && (
        <div className={classes.fieldsToCome}>
          <Skeleton height={20} width={64} />
        </div>
      )}
    </div>
  );
}

/** Memoised: drawn again only when its own props change. */
const Card = memo(function Card<T extends { id: string }>(props: RowViewProps<T>) {
  const { row, columns, rowTo, actions, isHighlighted, isSelected, onToggle } = props;
  const open = useOpenRow(row, rowTo);
  const has = (column: GridColumn<T>) => !EMPTY.includes(column.cell(row));
  const of = (kind: GridColumn<T>['card']) => columns.filter((c) => c.card === kind && has(c));
  const heading = columns.find((c) => c.card === 'title') ?? columns[0]!;
  const fields = columns.filter((c) => c !== heading && BELOW.includes(c.card) && has(c));
  const buttons = actions?.(row);
  const title = <Cell column={heading} row={row} />;
  return (
    <li
      className={cx(classes.card, rowTo && classes.opens)}
      {...rowProps(row.id, isHighlighted, isSelected)}
      onClick={open}
    >
      <div className={classes.cardHead}>
        {rowTo ? (
          <Link id={rowNameId(row.id)} className={classes.link} to={rowTo(row)} preventScrollReset>
            {title}
          </Link>
        ) : (
          <span id={rowNameId(row.id)}>{title}</span>
        )}
        <Fields columns={of('end')} row={row} className={classes.cardEnd} />
        {onToggle && <RowCheckbox row={row} isSelected={isSelected} onToggle={onToggle} />}
      </div>
      <Fields columns={of('note')} row={row} className={classes.cardNotes} />
      <Fields columns={fields} row={row} className={classes.cardFields} />
      {buttons && (
        <div className={classes.cardActions} data-actions>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            {buttons}
          </Group>
        </div>
      )}
    </li>
  );
}) as <T extends { id: string }>(props: RowViewProps<T>) => ReactNode;

interface FieldsProps<T> {
  columns: GridColumn<T>[];
  row: T;
  className?: string;
}

function Fields<T>({ columns, row, className }: FieldsProps<T>) {
  if (!columns.length) return null;
  return (
    <dl className={className}>
      {columns.map((column) => (
        <div key={column.id} data-kind={column.card}>
          <dt className={LABELS_SHOWN.includes(column.card) ? undefined : 'visually-hidden'}>
            {column.header}
          </dt>
          <dd>
            <Cell column={column} row={row} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
