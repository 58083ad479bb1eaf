import type { Bulk, TaskErrors as Errors } from '@heliograph/contract';
import { Group, Stack, Text, Anchor, Progress, Title } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { estimateQuery } from '../estimates/estimates.api.ts';
import { TaskActions, reportOf } from './task-actions.tsx';
import { TaskBadge } from './task-badge.tsx';
import { costOf, draftOf, isOver } from './task-cost.ts';
import { TaskCounters } from './task-counters.tsx';
import { TaskPace } from './task-pace.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import { progressOf } from './task-progress.ts';
import type { Question } from './task-questions.tsx';
import { errorsQuery, taskRecipientsQuery, unsentQuery } from './tasks.api.ts';

interface TaskDetailsProps {
  task: Bulk;
  onAsk: (question: Question) => void;
}

export function TaskDetails({ task, onAsk }: TaskDetailsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sending } = task.data;
  // Attempts that fail move it as well as recipients that do.
  const moved = useThrottledValue(progressOf(task).ended, 5000);
  const { data: errors } = useQuery(errorsQuery(task.id, moved));
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const text = (sending.payload as { text?: string }).text;
  return (
    <Stack>
      <Group gap="sm">
        <TaskBadge state={task.state} />
        {task.reason && (
          <Text size="sm">{t(`errors:code.${task.reason}`, { defaultValue: task.reason })}</Text>
        )}
      </Group>
      <div>
        <TaskProgressBar task={task} />
        <TaskPace task={task} />
        <TaskCounters task={task} />
        {task.state === 'paused' && <WithCarrier id={task.id} />}
      </div>
      <TaskActions task={task} onAsk={onAsk} wide />
      {errors && <TaskErrors task={task} errors={errors} />}
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

/** Explains why the counters of a paused task still change. */
function WithCarrier({ id }: { id: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const submitted = useQuery(unsentQuery(id)).data?.submitted ?? 0;
  if (!submitted) return null;
  return (
    <Text size="xs" c="dimmed" className="numeric">
      {t('tasks:pausedNote', { count: submitted, number: formats.number(submitted) })}
    </Text>
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

/** Why recipients were not reached, most frequent first, and the way to their numbers; attempts that decided nothing beneath. */
function TaskErrors({ task, errors }: { task: Bulk; errors: Errors }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const all = errors.data.reduce((sum, { count }) => sum + count, 0);
  const others = errors.others > 0 && (
    <Text size="xs" c="dimmed" mt={4} className="numeric">
      {t('tasks:errors.others', {
        count: errors.others,
        number: formats.number(errors.others),
      })}
    </Text>
  );
  if (!all) return others;
  return (
    <section aria-labelledby="task-errors">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="task-errors">
          {t('tasks:errors.title')}
        </Title>
        {can('sendings.get') && (
          <Anchor component={Link} size="sm" to={reportOf(task, true)}>
            {t('tasks:errors.numbers')}
          </Anchor>
        )}
      </Group>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {errors.data.map(({ code, count }) => (
          <li key={code} style={{ padding: '6px 0' }}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text size="sm">{t(`sendings:error.${code}`, { defaultValue: code })}</Text>
              <Text size="sm" className="numeric">
                {formats.number(count)}
              </Text>
            </Group>
            <Progress mt={4} value={(count / all) * 100} size="xs" color="red.7" aria-hidden />
          </li>
        ))}
      </ul>
      {others}
    </section>
  );
}
