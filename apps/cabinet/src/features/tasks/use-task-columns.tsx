import { isBulk, type Task } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { TaskBadge } from './task-badge.tsx';
import { TaskCounters } from './task-counters.tsx';
import { typeKey } from './type-key.ts';
import { TaskProgressBar } from './task-progress-bar.tsx';

/** Two lines of a long title; a cell has one. */
const WRAPPED = { whiteSpace: 'normal' } as const;

export function useTaskColumns(): GridColumn<Task>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Task>();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('tasks:name'),
        cell: (row) => (
          <>
            <Text size="sm" inherit lineClamp={2} title={row.title} style={WRAPPED}>
              {row.title}
            </Text>
            {!isBulk(row) && (
              <Text size="xs" c="dimmed" truncate>
                {t(`tasks:type.${typeKey(row.type)}`)}
              </Text>
            )}
          </>
        ),
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('tasks:stateLabel'),
        cell: (row) => (
          <>
            <TaskBadge state={row.state} />
            {row.reason && (
              <Text size="xs" c="dimmed" truncate>
                {t([`tasks:why.${row.reason}`, `errors:code.${row.reason}`], {
                  defaultValue: row.reason,
                })}
              </Text>
            )}
          </>
        ),
        width: 165,
        card: 'end',
      },
      ...owner,
      {
        id: 'progress',
        header: t('tasks:progressLabel'),
        cell: (row) => <TaskProgressBar task={row} />,
        width: 150,
        card: 'body',
      },
      {
        id: 'counters',
        header: t('tasks:counters'),
        cell: (row) => <TaskCounters task={row} />,
        width: 170,
        card: 'body',
      },
      {
        id: 'amount',
        header: t('tasks:amount'),
        // The rows of an operation may be in several currencies.
        cell: (row) =>
          row.type !== 'billings:operations' && (
            <Money value={row.meta.amount} currency={row.Owner?.currency} />
          ),
        width: 110,
        align: 'end',
        hideBelow: 'xl',
        card: 'note',
        isSensitive: true,
      },
      {
        id: 'createdAt',
        header: t('tasks:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        // With the owner's column there is no room left for the title.
        hideBelow: owner.length > 0 ? 'xl' : 'lg',
        card: 'note',
      },
      {
        id: 'startsAt',
        header: t('tasks:detail.startsAt'),
        cell: (row) => row.startsAt && <Time at={row.startsAt} />,
        sortable: true,
        width: 150,
        isOptional: true,
      },
    ],
    [t, owner],
  );
}
