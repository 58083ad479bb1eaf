import { isBulk, type Task } from '@heliograph/contract';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FileLink } from '../../ui/file-link.tsx';
import { TaskActions } from './task-actions.tsx';
import { TaskBadge } from './task-badge.tsx';
import { TaskCounters } from './task-counters.tsx';
import { TaskDetails } from './task-details.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import type { Question } from './task-questions.tsx';
import { taskQuery } from './tasks.api.ts';
import { typeKey } from './type-key.ts';

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

interface OtherTaskDetailsProps {
  task: Task;
  onAsk: (question: Question) => void;
}

/** A bulk operation, or the charge of a recurrent payment. */
function OtherTaskDetails({ task, onAsk }: OtherTaskDetailsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { recurrent, operations } = task.data;
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  return (
    <Stack>
      <Group gap="sm">
        <TaskBadge state={task.state} />
        {task.reason && (
          <Text size="sm">{t(`errors:code.${task.reason}`, { defaultValue: task.reason })}</Text>
        )}
      </Group>
      <div>
        <TaskProgressBar task={task} />
        <TaskCounters task={task} />
      </div>
      <TaskActions task={task} onAsk={onAsk} wide />
      <Facts
        facts={[
          { label: t('tasks:typeLabel'), value: t(`tasks:type.${typeKey(task.type)}`) },
          { label: t('tasks:detail.file'), value: operations?.filename },
          {
            label: t('tasks:detail.rowReport'),
            value: operations?.ReportId && (
              <FileLink fileId={operations.ReportId} inherit>
                {t('tasks:detail.download')}
              </FileLink>
            ),
          },
          {
            label: t('tasks:detail.source'),
            value: recurrent && (
              <Anchor
                component={Link}
                to={`/balance/recurrentPayments?id=${recurrent.RecurrentPaymentId}`}
              >
                {t('tasks:type.recurrent')}
              </Anchor>
            ),
          },
          { label: t('tasks:created'), value: time(task.createdAt) },
          { label: t('tasks:detail.finishedAt'), value: time(task.finishedAt) },
          { label: t('tasks:owner'), value: task.Owner?.username },
          { label: t('tasks:detail.id'), value: <CopyId id={task.id} /> },
        ]}
      />
    </Stack>
  );
}
