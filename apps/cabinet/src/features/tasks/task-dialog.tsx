import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
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
  const [id, setId] = useParam('id');
  const last = useRef(id);
  if (id) last.current = id;
  const { data, error, refetch } = useQuery({ ...taskQuery(last.current ?? ''), enabled: !!id });
  return (
    <Modal
      opened={!!id}
      onClose={() => setId(null)}
      closeOnEscape={!isAsking}
      size={600}
      title={data?.title ?? t('tasks:detail.title')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {data ? (
        <TaskDetails task={data} onAsk={onAsk} />
      ) : error ? (
        <ErrorCard title={t('tasks:detail.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailsSkeleton />
      )}
    </Modal>
  );
}
