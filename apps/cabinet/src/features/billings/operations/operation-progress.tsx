import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../../core/use-formats.ts';
import { FileLink } from '../../../ui/file-link.tsx';
import { IconCheck } from '../../../ui/icons.ts';
import { TaskBadge } from '../../tasks/task-badge.tsx';
import { TaskProgressBar } from '../../tasks/task-progress-bar.tsx';
import { taskQuery } from '../../tasks/tasks.api.ts';
import { OperationError } from './operation-error.tsx';

/** The task of an operation, which events keep up to date, and its report. */
export function OperationProgress({ id }: { id: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: task, error } = useQuery(taskQuery(id));
  if (!task) return <OperationError error={error} />;
  const { completed, errored } = task.meta.counters;
  const reportId = task.data.operations?.ReportId;
  return (
    <Stack>
      <Group>
        <TaskBadge state={task.state} />
      </Group>
      <TaskProgressBar task={task} />
      <div role="status">
        {reportId ? (
          <Alert
            color={errored || task.state !== 'completed' ? 'yellow' : 'green'}
            icon={<IconCheck aria-hidden />}
          >
            {t('operations:finished', {
              completed: formats.number(completed),
              errored: formats.number(errored),
            })}
          </Alert>
        ) : (
          <Text size="sm">{t('operations:running')}</Text>
        )}
      </div>
      <Group>
        {reportId && (
          <FileLink fileId={reportId} size="sm">
            {t('operations:report')}
          </FileLink>
        )}
        <Anchor component={Link} size="sm" to={`/messages/tasks?id=${id}`}>
          {t('operations:task')}
        </Anchor>
      </Group>
    </Stack>
  );
}
