import { isBulk, type Task } from '@heliograph/contract';
import { taskTransition } from '@heliograph/domain';
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { RecipientsDialog } from './recipients-dialog.tsx';
import { progressOf } from './task-progress.ts';
import { useCancelTask, useRemoveTask, unsentQuery } from './tasks.api.ts';

export interface Question {
  action: 'stop' | 'remove' | 'contacts';
  task: Task;
}

interface TaskQuestionsProps {
  question: Question | null;
  onClose: () => void;
  onRemoved: () => void;
}

/** Stopping and removing cannot be undone, so both dialogs say what will be lost. */
export function TaskQuestions({ question, onClose, onRemoved }: TaskQuestionsProps) {
  const { t } = useTranslation();
  const cancel = useCancelTask();
  const remove = useRemoveTask();
  const last = useLast(question);
  if (!last) return null;
  const { action, task } = last;
  const { id, title } = task;
  const opened = !!question;
  if (action === 'contacts')
    return <RecipientsDialog task={opened ? task : null} onClose={onClose} />;
  return action === 'stop' ? (
    <ConfirmDialog
      opened={opened}
      title={t('tasks:stopQuestion', { title })}
      action={t('tasks:stop', { title })}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate(id, { onSettled: onClose })}
      onClose={onClose}
    >
      {opened && (isBulk(task) ? <StopText task={task} /> : t('tasks:stopOperations'))}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      opened={opened}
      title={t('tasks:removeQuestion', { title })}
      action={t('tasks:remove', { title })}
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            onClose();
            onRemoved();
          },
        })
      }
      onClose={onClose}
    >
      {opened && isBulk(task) && taskTransition(task.state, 'cancel') && <StopText task={task} />}{' '}
      {t(isBulk(task) ? 'tasks:removeText' : 'tasks:removeOther')}
    </ConfirmDialog>
  );
}

/** The effect of a stop: messages that are not submitted yet and recipients that are not expanded yet are cancelled, and their money is refunded. */
function StopText({ task }: { task: Task }) {
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
