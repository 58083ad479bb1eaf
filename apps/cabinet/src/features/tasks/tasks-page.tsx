import { TaskState, TaskType, type Task } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconTasks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { TaskQuestions } from './task-questions-later.ts';
import { TaskActions } from './task-actions.tsx';
import type { Question } from './task-questions.tsx';
import { taskSpec } from './tasks.api.ts';
import { typeKey } from './type-key.ts';
import { useTaskColumns } from './use-task-columns.tsx';

const TaskDialog = later(async () => (await import('./task-dialog.tsx')).TaskDialog);

export function TasksPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(taskSpec);
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
