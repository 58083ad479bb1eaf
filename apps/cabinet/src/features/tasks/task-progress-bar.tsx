import type { Task } from '@heliograph/contract';
import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { progressOf } from './task-progress.ts';

/** The progress of a task by final recipients: succeeded and failed; those cancelled are no progress. */
export function TaskProgressBar({ task }: { task: Task }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const p = progressOf(task);
  const done = p.doneShare;
  const text = t('tasks:progress', {
    done: formats.number(p.done),
    expected: formats.number(p.expected),
    percent: formats.percent(done / 100),
  });
  return (
    <div>
      {/* One bar for assistive programs, two colours for eyes; the numbers stand beside it in any case. */}
      <div
        role="progressbar"
        aria-valuenow={Math.floor(done)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={t('tasks:progressOf', { title: task.title })}
      >
        <Progress.Root size="md" aria-hidden>
          <Progress.Section value={p.completedShare} color="green.7" withAria={false} />
          <Progress.Section value={p.erroredShare} color="red.7" withAria={false} />
        </Progress.Root>
      </div>
      <Text size="xs" c="dimmed" mt={2} className="numeric">
        {text}
      </Text>
    </div>
  );
}
