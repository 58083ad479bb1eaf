import { isBulk } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OtherTaskDetails } from './other-task-details.tsx';
import { TaskDetails } from './task-details.tsx';
import type { Question } from './task-questions.tsx';
import { taskQuery } from './tasks.api.ts';

interface TaskDialogProps {
  onAsk: (question: Question) => void;
  /** A question stands over it and takes the Escape key. */
  isAsking: boolean;
}

/** One task in full, `?id=`, moving while it runs. */
export function TaskDialog({ onAsk, isAsking }: TaskDialogProps) {
  const { t } = useTranslation();
  const detail = useDetail(taskQuery);
  return (
    <Dialog
      {...detail.frame}
      closeOnEscape={!isAsking}
      size={600}
      title={detail.data?.title ?? t('tasks:detail.title')}
    >
      <DetailBody detail={detail} failed={t('tasks:detail.failed')}>
        {(task) =>
          isBulk(task) ? (
            <TaskDetails task={task} onAsk={onAsk} />
          ) : (
            <OtherTaskDetails task={task} onAsk={onAsk} />
          )
        }
      </DetailBody>
    </Dialog>
  );
}
