import { TaskState, TaskType, type Task, isBulk } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { IconTasks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { TaskActions } from './task-actions.tsx';
import { TaskBadge } from './task-badge.tsx';
import { TaskCounters } from './task-counters.tsx';
import { TaskPart } from './task-part.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import { TaskQuestions } from './task-questions-later.ts';
import type { Question } from './task-questions.tsx';
import { taskSpec } from './tasks.api.ts';
import { typeKey } from './type-key.ts';

const TaskDialog = later(async () => (await import('./task-dialog.tsx')).TaskDialog);

const BULKS = { type: 'sendings:bulk' } satisfies Partial<Task>;

export function TasksPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(taskSpec);
  // Of other types, which have places of their own, on request only.
  const fixed = control.state.filters.type ? undefined : BULKS;
  const page = { control, list: useList(taskSpec, control, fixed) };
  const columns = useTaskColumns();
  const [, setId] = useParam('id');
  const [question, setQuestion] = useState<Question | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('tasks:search') },
    manyField('type', t('tasks:typeLabel'), TaskType.options, (value) =>
      t(`tasks:type.${typeKey(value)}`),
    ),
    manyField('state', t('tasks:stateLabel'), TaskState.options, (value) =>
      t(`tasks:state.${value}`),
    ),
    { kind: 'period', label: t('tasks:period') },
    { kind: 'owner', label: t('tasks:owner') },
  ];
  const actions = useCallback((task: Task) => <TaskActions task={task} onAsk={setQuestion} />, []);
  return (
    <ListPage
      page={page}
      title={t('tasks:title')}
      fields={fields}
      columns={columns}
      actions={actions}
      actionsWidth={200}
      empty={{
        icon: IconTasks,
        title: t('tasks:empty.title'),
        text: t('tasks:empty.text'),
        action: can('sendings.generate') && (
          <Button component={Link} to="/send">
            {t('tasks:empty.action')}
          </Button>
        ),
      }}
    >
      <TaskDialog onAsk={setQuestion} isAsking={!!question} />
      <TaskQuestions
        question={question}
        onClose={() => setQuestion(null)}
        onRemoved={() => setId(null, { replace: true })}
      />
    </ListPage>
  );
}

/** Two lines of a long title; a cell has one. */
const WRAPPED = { whiteSpace: 'normal' } as const;

function useTaskColumns(): GridColumn<Task>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Task>();
  return useMemo(
    (): GridColumn<Task>[] => [
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
        cell: (row) => {
          const { variants } = row.data.sending ?? {};
          return (
            <>
              <TaskCounters task={row} />
              {variants && <TaskPart {...variants} />}
            </>
          );
        },
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
      timeColumn('startsAt', t('tasks:detail.startsAt'), { width: 150, isOptional: true }),
    ],
    [t, owner],
  );
}
