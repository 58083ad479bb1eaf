import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePolling } from '../../core/realtime/live.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Card } from './card.tsx';
import { runningQuery } from './home.api.ts';

/** For as many as are asked for, from the start: nothing moves when they come. */
const RUNNING_ROOM = 196;

/** What is being sent now, and how far it is. */
export function RunningTasks() {
  const { t } = useTranslation();
  const formats = useFormats();
  const allowed = useCan()('tasks.get');
  const refetchInterval = usePolling();
  const { data } = useQuery({ ...runningQuery, enabled: allowed, refetchInterval });
  if (!allowed) return null;
  return (
    <Card
      title={t('home:running.title')}
      height={RUNNING_ROOM}
      aside={
        <Anchor component={Link} to="/messages/tasks" size="sm">
          {t('home:running.all')}
        </Anchor>
      }
    >
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('home:running.none')}
        </Text>
      )}
      <Stack gap="sm">
        {data?.data.map(({ id, title, data: { sending }, meta: { counters } }) => {
          const done = counters.completed + counters.errored;
          const expected = Math.max(counters.expected, counters.total, done);
          const share = expected ? done / expected : 0;
          return (
            <div key={id}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Anchor
                  component={Link}
                  to={`/messages/outgoing?f.groupId=${sending.groupId}`}
                  size="sm"
                  truncate
                >
                  {title}
                </Anchor>
                <Text size="xs" c="dimmed" className="numeric" style={{ whiteSpace: 'nowrap' }}>
                  {t('home:running.progress', {
                    done: formats.number(done),
                    expected: formats.number(expected),
                  })}
                </Text>
              </Group>
              <Progress value={share * 100} color="green.7" aria-label={title} mt={4} />
            </div>
          );
        })}
      </Stack>
    </Card>
  );
}
