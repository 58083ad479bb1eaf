import type { Task } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAhead } from '../../core/due.ts';
import { pollEvery } from '../../core/query.ts';
import { useFormats } from '../../core/use-formats.ts';
import { addSample, paceOf, type Pace, type Sample } from './pace.ts';
import { progressOf } from './task-progress.ts';
import { unsentQuery } from './tasks.api.ts';

const REFRESH_MS = 30_000;

/** Pace and remaining time. Without a pace only the end of a spread task is known. */
export function TaskPace({ task }: { task: Task }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const pace = useTaskPace(task);
  const isWaiting = pace?.secondsLeft === null;
  const unsent = useQuery({
    ...unsentQuery(task.id),
    refetchInterval: pollEvery(REFRESH_MS),
    enabled: isWaiting,
  });
  if (!pace) return null;
  const { perMinute, secondsLeft } = pace;
  const rate = t('tasks:pace.rate', { rate: formats.number(perMinute) });
  const isSpread = task.until && Date.parse(task.until) > Date.now();
  const waits = isSpread
    ? `${t('tasks:detail.until')} ${formats.dateTime(task.until!)}`
    : isAhead(unsent.data?.dueAt)
      ? t('tasks:pace.waitingUntil', { time: formats.dateTime(unsent.data.dueAt) })
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

const NONE: Sample[] = [];

/** The pace of a running task, from its counters as the socket brings them. */
function useTaskPace(task: Task): Pace | null {
  const { ended: done, expected } = progressOf(task);
  const isRunning = task.state === 'running';
  const [samples, setSamples] = useState(NONE);
  useEffect(() => {
    if (!isRunning) return setSamples(NONE);
    const look = () => setSamples((now) => addSample(now, { at: Date.now(), done }));
    look();
    // It slows down by itself while nothing arrives.
    const timer = setInterval(look, 5000);
    return () => clearInterval(timer);
  }, [isRunning, done]);
  return isRunning ? paceOf(samples, task, expected) : null;
}
