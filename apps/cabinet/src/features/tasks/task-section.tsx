import type { Task } from '@heliograph/contract';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { TaskActions } from './task-actions.tsx';
import { TaskBadge } from './task-badge.tsx';
import { TaskCounters } from './task-counters.tsx';
import { TaskPace } from './task-pace.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import { TaskQuestions } from './task-questions-later.ts';
import type { Question } from './task-questions.tsx';
import { unsentQuery } from './tasks.api.ts';

interface TaskSectionProps {
  task: Task;
  onRemoved: () => void;
  /** Further actions. */
  children?: ReactNode;
}

/** The course of a task, and what can be done with it. */
export function TaskSection({ task, onRemoved, children }: TaskSectionProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <Stack>
      <TaskCourse task={task} />
      <Group gap="xs">
        <TaskActions task={task} onAsk={setQuestion} wide />
        {children}
      </Group>
      <TaskQuestions question={question} onClose={() => setQuestion(null)} onRemoved={onRemoved} />
    </Stack>
  );
}

/** State, progress and pace of a task. */
export function TaskCourse({ task }: { task: Task }) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
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
