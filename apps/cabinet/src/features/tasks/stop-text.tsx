import type { Task } from '@heliograph/contract';
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { progressOf } from './task-progress.ts';
import { unsentQuery } from './tasks.api.ts';

/** The effect of a stop: messages that are not submitted yet and recipients that are not expanded yet are cancelled, and their money is refunded. */
export function StopText({ task }: { task: Task }) {
  const { t } = useTranslation();
  const formats = useFormats(task.Owner?.currency);
  const { data, error } = useQuery(unsentQuery(task.id));
  const { expected, total } = progressOf(task);
  if (error) return t('tasks:stopText.unknown');
  if (!data) return <Loader size="xs" aria-label={t('tasks:stopText.counting')} />;
  const left = Math.max(0, expected - total);
  return (
    <>
      {(data.count > 0 || left === 0) &&
        t('tasks:stopText.unsent', {
          count: data.count,
          number: formats.number(data.count),
          money: formats.money(data.amount),
        })}{' '}
      {left > 0 && t('tasks:stopText.left', { count: left, number: formats.number(left) })}{' '}
      {data.submitted > 0 &&
        t('tasks:stopText.carrier', {
          count: data.submitted,
          number: formats.number(data.submitted),
        })}{' '}
      {t('tasks:stopText.final')}
    </>
  );
}
