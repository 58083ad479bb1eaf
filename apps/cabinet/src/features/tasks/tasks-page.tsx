import { TaskState, type Task } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconTasks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TaskActions } from './task-actions.tsx';
import type { Question } from './task-questions.tsx';
import { BULK, taskSpec } from './tasks.api.ts';
import { useTaskColumns } from './use-task-columns.tsx';

const TaskDialog = later(async () => (await import('./task-dialog.tsx')).TaskDialog);
const TaskQuestions = later(async () => (await import('./task-questions.tsx')).TaskQuestions);

export function TasksPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(taskSpec);
  const list = useList(taskSpec, control, BULK);
  const columns = useTaskColumns();
  const rowTo = useRowLink();
  const [, setId] = useParam('id');
  const [question, setQuestion] = useState<Question | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('tasks:search') },
    {
      kind: 'many',
      name: 'state',
      label: t('tasks:stateLabel'),
      options: TaskState.options.map((value) => ({ value, label: t(`tasks:state.${value}`) })),
    },
    { kind: 'period', label: t('tasks:period') },
    { kind: 'owner', label: t('tasks:owner') },
  ];
  const actions = useCallback((task: Task) => <TaskActions task={task} onAsk={setQuestion} />, []);
  return (
    <>
      <PageHeader title={t('tasks:title')} />
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('tasks:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={200}
        empty={
          <Empty icon={IconTasks} title={t('tasks:empty.title')} text={t('tasks:empty.text')}>
            {can('sendings.generate') && (
              <Button component={Link} to="/send">
                {t('tasks:empty.action')}
              </Button>
            )}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <TaskDialog onAsk={setQuestion} isAsking={!!question} />
      <TaskQuestions
        question={question}
        onClose={() => setQuestion(null)}
        onRemoved={() => setId(null, { replace: true })}
      />
    </>
  );
}
