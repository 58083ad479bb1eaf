import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { RunningBar } from '../tasks/running-bar.tsx';
import { Card } from './card.tsx';
import { runningQuery } from './home.api.ts';
import classes from './home.module.css';

/** Room for the first task; more of them scroll, so that nothing moves when tasks are loaded, begin or end. */
const RUNNING_HEIGHT_PX = 196;

/** Running and paused tasks with progress and pace. */
export function RunningTasks() {
  const { t } = useTranslation();
  const allowed = useCan()('tasks.get');
  const { data, error, refetch } = useQuery({ ...runningQuery, enabled: allowed });
  if (!allowed) return null;
  return (
    <Card
      title={t('home:running.title')}
      height={RUNNING_HEIGHT_PX}
      aside={
        <Anchor component={Link} to="/messages/tasks" size="sm">
          {t('home:running.all')}
        </Anchor>
      }
    >
      {error && !data && (
        <ErrorCard title={t('home:running.failed')} error={error} onRetry={() => void refetch()} />
      )}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('home:running.none')}
        </Text>
      )}
      <Stack gap="sm" className={classes.running}>
        {data?.data.map((task) => (
          <RunningBar key={task.id} task={task} />
        ))}
      </Stack>
    </Card>
  );
}
