import type { Task } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePolling } from '../../../core/realtime/live.ts';
import { IconCheck } from '../../../ui/icons.ts';
import { TaskBadge } from '../../tasks/task-badge.tsx';
import { TaskProgressBar } from '../../tasks/task-progress-bar.tsx';
import { taskQuery } from '../../tasks/tasks.api.ts';

/** The sending that was just made, while the next one is written: how far it is, and the way to it. */
export function CreatedNote({ task: created, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const refetchInterval = usePolling('tasks');
  const { data: task } = useQuery({
    ...taskQuery(created.id),
    initialData: created,
    staleTime: 0,
    refetchInterval,
  });
  return (
    <Alert
      color="green"
      role="status"
      mb="md"
      icon={<IconCheck aria-hidden />}
      title={t('send:accepted', { title: task.title })}
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('close')}
    >
      <Stack gap="xs">
        <Group gap="sm">
          <TaskBadge state={task.state} />
          {task.reason && (
            <Text size="sm">{t(`errors:code.${task.reason}`, { defaultValue: task.reason })}</Text>
          )}
        </Group>
        <TaskProgressBar task={task} />
        <div>
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={`/messages/tasks?id=${task.id}`}
            aria-keyshortcuts="z"
          >
            {t('send:watch')}
          </Button>
        </div>
      </Stack>
    </Alert>
  );
}
