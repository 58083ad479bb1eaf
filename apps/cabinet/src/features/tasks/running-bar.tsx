import type { Task } from '@heliograph/contract';
import { Anchor, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { TaskQuestions } from './task-questions-later.ts';
import { TaskActions } from './task-actions.tsx';
import { TaskBadge } from './task-badge.tsx';
import { TaskPace } from './task-pace.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import type { Question } from './task-questions.tsx';

/** A task that runs or is paused: progress, pace, and how to pause, resume and stop it. */
export function RunningBar({ task }: { task: Task }) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} to={`/messages/tasks/${task.id}`} size="sm" truncate>
          {task.title}
        </Anchor>
        <TaskActions task={task} onAsk={setQuestion} brief />
      </Group>
      <TaskProgressBar task={task} />
      {task.state === 'paused' && <TaskBadge state={task.state} />}
      <TaskPace task={task} />
      <TaskQuestions
        question={question}
        onClose={() => setQuestion(null)}
        onRemoved={() => setQuestion(null)}
      />
    </div>
  );
}
