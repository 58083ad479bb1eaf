import type { Task } from '@heliograph/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { progressOf } from './task-progress.ts';
import { useRemoveTask, useSetTaskState } from './tasks.api.ts';

export interface Question {
  deed: 'stop' | 'remove';
  task: Task;
}

/** Stopping and removing cannot be taken back: both say what will be lost before they do it. */
export function TaskQuestions({
  question,
  onClose,
}: {
  question: Question | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const setState = useSetTaskState();
  const remove = useRemoveTask();
  // The dialog keeps its words while it fades.
  const last = useRef(question);
  if (question) last.current = question;
  if (!last.current) return null;
  const { deed, task } = last.current;
  const { title } = task;
  const { expected, completed, errored } = progressOf(task);
  const done = { onSuccess: onClose };
  return deed === 'stop' ? (
    <ConfirmDialog
      opened={!!question}
      title={t('tasks:stopQuestion', { title })}
      action={t('tasks:stop', { title })}
      busy={setState.isPending}
      onConfirm={() => setState.mutate({ id: task.id, state: 'stopped' }, done)}
      onClose={onClose}
    >
      {t('tasks:stopText', {
        left: formats.number(expected - completed - errored),
        expected: formats.number(expected),
      })}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      opened={!!question}
      title={t('tasks:removeQuestion', { title })}
      action={t('tasks:remove', { title })}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(task.id, done)}
      onClose={onClose}
    >
      {t('tasks:removeText')}
    </ConfirmDialog>
  );
}
