import type { Page } from '@heliograph/contract';
import { Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorCard } from '../../ui/error-card.tsx';
import { cx } from '../../ui/cx.ts';
import { Card } from './card.tsx';
import { WIDGET_ROWS } from './home.api.ts';
import classes from './home.module.css';

const room = (row: string) => `calc(72px + ${WIDGET_ROWS} * var(--home-${row}))`;

interface WidgetProps<T> {
  title: string;
  answer: Pick<UseQueryResult<Page<T>>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  empty: string;
  /** Rows of two lines where there is little room. */
  tall?: boolean;
  /** The cells of a row. */
  children: (row: T) => ReactNode;
}

/** The latest rows of a noun. The height of all rows is reserved until the list is known to be empty. */
export function Widget<T extends { id: string }>(props: WidgetProps<T>) {
  const { title, answer, empty, tall, children } = props;
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = answer;
  return (
    <Card
      title={title}
      height={data?.data.length === 0 ? undefined : room(tall ? 'tall-row' : 'row')}
      busy={isFetching}
      onRefresh={() => void refetch()}
    >
      {error && !data ? (
        <ErrorCard title={t('list:failed')} error={error} onRetry={() => void refetch()} />
      ) : data?.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <table className={cx(classes.rows, tall && classes.tall)} aria-busy={!data}>
          <caption className="visually-hidden">{title}</caption>
          <tbody>
            {data
              ? data.data.map((row) => <tr key={row.id}>{children(row)}</tr>)
              : Array.from({ length: WIDGET_ROWS }, (_, index) => (
                  <tr key={index}>
                    <td>
                      <Skeleton height={12} />
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
