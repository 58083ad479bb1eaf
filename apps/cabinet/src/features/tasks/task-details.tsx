import type { Bulk } from '@heliograph/contract';
import { Stack, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { estimateQuery } from '../estimates/estimates.api.ts';
import { TaskActions } from './task-actions.tsx';
import { costOf, draftOf, isOver } from './task-cost.ts';
import { TaskErrors } from './task-errors-section.tsx';
import { TaskCourse } from './task-section.tsx';
import type { Question } from './task-questions.tsx';
import { taskRecipientsQuery, useTaskErrors } from './tasks.api.ts';

interface TaskDetailsProps {
  task: Bulk;
  onAsk: (question: Question) => void;
}

export function TaskDetails({ task, onAsk }: TaskDetailsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sending } = task.data;
  const errors = useTaskErrors(task);
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const text = (sending.payload as { text?: string }).text;
  return (
    <Stack>
      <TaskCourse task={task} />
      <TaskActions task={task} onAsk={onAsk} wide />
      <Anchor component={Link} size="sm" to={`/messages/tasks/${task.id}`}>
        {t('tasks:openPage')}
      </Anchor>
      <TaskErrors task={task} />
      <Facts
        facts={[
          { label: t('tasks:detail.channel'), value: t(`common:type.${sending.type}`) },
          {
            label: t('tasks:detail.text'),
            value: text && <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>,
          },
          ...useCostFacts(task, errors?.refunded ?? 0),
          { label: t('tasks:created'), value: time(task.createdAt) },
          { label: t('tasks:detail.startsAt'), value: time(task.startsAt) },
          { label: t('tasks:detail.until'), value: time(task.until) },
          { label: t('tasks:detail.startedAt'), value: time(task.startedAt) },
          { label: t('tasks:detail.finishedAt'), value: time(task.finishedAt) },
          { label: t('tasks:owner'), value: task.Owner?.username },
          { label: t('tasks:detail.id'), value: <CopyId id={task.id} /> },
        ]}
      />
    </Stack>
  );
}

/** The cost so far and the expected final cost; before the first charge the estimate. */
function useCostFacts(task: Bulk, refunded: number) {
  const { t } = useTranslation();
  const can = useCan();
  const { net, refunded: back, forecast } = costOf(task, refunded);
  const isAhead = task.state === 'scheduled' && task.meta.counters.total === 0;
  const isAsked = isAhead && can('sendings.generate');
  const { data: recipients } = useQuery({ ...taskRecipientsQuery(task.id), enabled: isAsked });
  const draft = isAsked && recipients ? draftOf(task, recipients) : null;
  const { data: estimate } = useQuery(estimateQuery(draft));
  const formats = useFormats(task.Owner?.currency);
  const whole = draft ? estimate?.amount : forecast;
  const isRange = draft && estimate && estimate.max > estimate.amount;
  return [
    // Messages are charged when they are created: until all have ended, this is more than was spent.
    {
      label: t(isOver(task) ? 'tasks:detail.cost' : 'tasks:detail.charged'),
      value: !isAhead && formats.money(net),
    },
    { label: t('tasks:detail.refunded'), value: back > 0 && formats.money(back) },
    {
      label: t('tasks:detail.forecast'),
      value:
        whole !== null && whole !== undefined && isRange
          ? t('tasks:detail.range', {
              from: formats.money(whole),
              to: formats.money(estimate.max),
            })
          : whole != null && formats.money(whole),
    },
  ];
}
