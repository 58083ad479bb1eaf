import type { Task } from '@heliograph/contract';
import { taskRemovable, taskTransition } from '@heliograph/domain';
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { IconPause, IconPlay, IconReport, IconStop, IconTrash } from '../../ui/icons.ts';
import type { Question } from './task-questions.tsx';
import { useSetTaskState } from './tasks.api.ts';

interface TaskActionsProps {
  task: Task;
  /** What is asked first is asked by the page, so that the dialog outlives the row. */
  onAsk: (question: Question) => void;
}

/** What can be done with a task in its present state; every button names the task it acts on. */
export function TaskActions({ task, onAsk }: TaskActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutate, isPending } = useSetTaskState();
  const { id, title, state } = task;
  const mayUpdate = can('tasks.update');
  const report = `/messages/outgoing?f.groupId=${task.data.sending.groupId}`;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {mayUpdate && taskTransition(state, 'pause') && (
        <Act
          icon={IconPause}
          label={t('tasks:pause', { title })}
          busy={isPending}
          onClick={() => mutate({ id, state: 'paused' })}
        />
      )}
      {mayUpdate && taskTransition(state, 'resume') && (
        <Act
          icon={IconPlay}
          label={t('tasks:resume', { title })}
          busy={isPending}
          onClick={() => mutate({ id, state: 'scheduled' })}
        />
      )}
      {mayUpdate && taskTransition(state, 'stop') && (
        <Act
          icon={IconStop}
          label={t('tasks:stop', { title })}
          busy={isPending}
          onClick={() => onAsk({ deed: 'stop', task })}
        />
      )}
      {can('sendings.get') && (
        <Tooltip label={t('tasks:report', { title })}>
          <ActionIcon
            component={Link}
            to={report}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('tasks:report', { title })}
          >
            <IconReport size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {can('tasks.remove') && taskRemovable(state) && (
        <Act
          icon={IconTrash}
          label={t('tasks:remove', { title })}
          onClick={() => onAsk({ deed: 'remove', task })}
        />
      )}
    </Group>
  );
}

interface ActProps {
  icon: Icon;
  label: string;
  busy?: boolean;
  onClick: () => void;
}

function Act({ icon: ActIcon, label, busy, onClick }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        disabled={busy}
        onClick={onClick}
      >
        <ActIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
