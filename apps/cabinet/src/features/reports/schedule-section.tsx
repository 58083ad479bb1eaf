import { MAX_REPORT_SCHEDULES, type ReportSchedule } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { settingsQuery, useCan } from '../../core/settings.ts';
import { later } from '../../ui/later.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { ScheduleRow } from './schedule-row.tsx';
import { schedulesQuery, useRemoveSchedule } from './schedules.api.ts';

const ScheduleDialog = later(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog);

/** The scheduled reports of the account. */
export function ScheduleSection() {
  const { t } = useTranslation();
  const can = useCan();
  const { data: OwnerId } = useQuery({ ...settingsQuery, select: (s) => s.session.OwnerId });
  const refetchInterval = usePolling('reportSchedules');
  const { data, isPending } = useQuery({
    ...schedulesQuery(OwnerId ?? ''),
    enabled: !!OwnerId,
    refetchInterval,
  });
  /** `new`, or the schedule that is edited. */
  const [edited, setEdited] = useState<ReportSchedule | 'new' | null>(null);
  const [removed, setRemoved] = useState<ReportSchedule | null>(null);
  const remove = useRemoveSchedule();
  if (isPending) return <div data-coming />;
  if (!data || (!data.total && !can('reports.create'))) return null;
  const isFull = data.total >= MAX_REPORT_SCHEDULES;
  return (
    <Paper component="section" withBorder p="md" my="md" aria-labelledby="schedules">
      <Group justify="space-between" mb={data.total ? 'sm' : 0}>
        <div>
          <Title order={2} size="h4" id="schedules">
            {t('reports:schedules.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t(isFull ? 'reports:schedules.full' : 'reports:schedules.about')}
          </Text>
        </div>
        {can('reports.create') && !isFull && (
          <Button variant="default" onClick={() => setEdited('new')}>
            {t('reports:schedules.create')}
          </Button>
        )}
      </Group>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map((schedule) => (
          <ScheduleRow
            key={schedule.id}
            schedule={schedule}
            onEdit={setEdited}
            onRemove={setRemoved}
          />
        ))}
      </Stack>
      {edited && (
        <ScheduleDialog
          schedule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(null)}
        />
      )}
      <RemoveDialog
        row={removed}
        onClose={() => setRemoved(null)}
        words={({ preset }) => ({
          question: t('reports:schedules.removeQuestion', {
            name: t(`reports:presets.${preset}`),
          }),
          action: t('reports:schedules.removeAction'),
          text: t('reports:schedules.removeText'),
        })}
        change={remove}
      />
    </Paper>
  );
}
