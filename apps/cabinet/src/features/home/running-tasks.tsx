import type { Task } from '@heliograph/contract';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { later } from '../../ui/later.tsx';
import { TaskActions } from '../tasks/task-actions.tsx';
import { TaskPace } from '../tasks/task-pace.tsx';
import { TaskProgressBar } from '../tasks/task-progress-bar.tsx';
import type { Question } from '../tasks/task-questions.tsx';
import { Card } from './card.tsx';
import { runningQuery } from './home.api.ts';

const TaskQuestions = later(
  async () => (await import('../tasks/task-questions.tsx')).TaskQuestions,
);

/** For the first of them, from the start: nothing moves when it comes. */
const RUNNING_ROOM = 196;

/** What is being sent now, how far it is and how fast it goes. */
export function RunningTasks() {
  const { t } = useTranslation();
  const allowed = useCan()('tasks.get');
  const { data, error, refetch } = useQuery({ ...runningQuery, enabled: allowed });
  const [question, setQuestion] = useState<Question | null>(null);
  if (!allowed) return null;
  return (
    <Card
      title={t('home:running.title')}
      height={RUNNING_ROOM}
      aside={
        <Anchor component={Link} to="/messages/tasks" size="sm">
          {t('home:running.all')}
        </Anchor>
      }
    >
      {error && !data && (
        <ErrorCard title={t('home:running.failed')} error={error} onRetry={() => void refetch()} />
      )}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('home:running.none')}
        </Text>
      )}
      <Stack gap="sm">
        {data?.data.map((task) => (
          <RunningTask key={task.id} task={task} onAsk={setQuestion} />
        ))}
      </Stack>
      {!!data?.data.length && (
        <TaskQuestions
          question={question}
          onClose={() => setQuestion(null)}
          onRemoved={() => undefined}
        />
      )}
    </Card>
  );
}

function RunningTask({ task, onAsk }: { task: Task; onAsk: (question: Question) => void }) {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} to={`/messages/tasks?id=${task.id}`} size="sm" truncate>
          {task.title}
        </Anchor>
        <TaskActions task={task} onAsk={onAsk} brief />
      </Group>
      <TaskProgressBar task={task} />
      <TaskPace task={task} />
    </div>
  );
}
