import { isBulk, type Task } from '@heliograph/contract';
import { taskTransition } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { RecipientsDialog } from './recipients-dialog.tsx';
import { StopText } from './stop-text.tsx';
import { useCancelTask, useRemoveTask } from './tasks.api.ts';

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
