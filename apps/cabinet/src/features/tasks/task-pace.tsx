import type { Task } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useTaskPace } from './use-task-pace.ts';

/** Pace and remaining time. Without a pace only the end of a spread task is known. */
export function TaskPace({ task }: { task: Task }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const pace = useTaskPace(task);
  if (!pace) return null;
  const { perMinute, secondsLeft } = pace;
  const rate = t('tasks:pace.rate', { rate: formats.number(perMinute) });
  const isSpread = task.until && Date.parse(task.until) > Date.now();
  const waits = isSpread
    ? `${t('tasks:detail.until')} ${formats.dateTime(task.until!)}`
    : t('tasks:pace.waiting');
  const minutes = Math.ceil((secondsLeft ?? 0) / 60);
  const hours = Math.round(minutes / 60);
  return (
    <Text size="sm" className="numeric" my={4}>
      {secondsLeft === null
        ? waits
        : secondsLeft === 0
          ? rate
          : minutes < 90
            ? t('tasks:pace.minutes', { rate, count: minutes, number: formats.number(minutes) })
            : t('tasks:pace.hours', { rate, count: hours, number: formats.number(hours) })}
    </Text>
  );
}
