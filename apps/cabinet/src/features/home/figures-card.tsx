import { Anchor, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Card } from './card.tsx';
import classes from './home.module.css';

interface Rows {
  data: unknown[];
}

interface FiguresCardProps<Data extends Rows> {
  title: string;
  height: number;
  /** Of the table, while it is loaded. */
  loading: number;
  /** The link to the list of all. */
  all: { to: string; label: string };
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** What is said when the rows could not be loaded, and when there are none. */
  failed: string;
  none: string;
  head: string[];
  /** A `tr` of a row. */
  children: (row: Data['data'][number], data: Data) => ReactNode;
}

/** A part of the home page with the first rows of a list, and figures of each. */
export function FiguresCard<Data extends Rows>({
  title,
  height,
  loading,
  all,
  query: { data, error, refetch },
  failed,
  none,
  head,
  children,
}: FiguresCardProps<Data>) {
  return (
    <Card
      title={title}
      height={height}
      aside={
        <Anchor component={Link} to={all.to} size="sm">
          {all.label}
        </Anchor>
      }
    >
      {error && !data ? (
        <ErrorCard title={failed} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={loading} aria-busy />
      ) : data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <table className={classes.figures}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{data.data.map((row) => children(row, data))}</tbody>
        </table>
      )}
    </Card>
  );
}
