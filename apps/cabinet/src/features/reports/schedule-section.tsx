import { MAX_REPORT_SCHEDULES, type ReportSchedule } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { settingsQuery, useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { schedulesQuery, useRemoveSchedule, usePauseSchedule } from './schedules.api.ts';

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

interface ScheduleRowProps {
  schedule: ReportSchedule;
  onEdit: (schedule: ReportSchedule) => void;
  onRemove: (schedule: ReportSchedule) => void;
}

function ScheduleRow({ schedule, onEdit, onRemove }: ScheduleRowProps) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const pause = usePauseSchedule(schedule.id);
  const { preset, frequency, isActive, reason, nextRunAt } = schedule;
  const name = t(`reports:presets.${preset}`);
  const next = nextRunAt && t('reports:schedules.next', { at: formats.dateTime(nextRunAt) });
  return (
    <Group component="li" justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={500}>{name}</Text>
        <Text size="sm">{t(`reports:schedules.frequency.${frequency}`)}</Text>
        <Text size="sm" c={reason ? 'var(--mantine-color-error)' : 'dimmed'}>
          {next ?? t(reason ? 'reports:schedules.stopped' : 'reports:schedules.paused')}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" data-actions>
        {can('reports.create') && (
          <>
            <OptimisticSwitch
              checked={isActive}
              aria-label={t('reports:schedules.active', { name })}
              save={pause.mutateAsync}
            />
            <IconAction
              icon={IconEdit}
              word="edit"
              label={t('reports:schedules.edit', { name })}
              onClick={() => onEdit(schedule)}
            />
          </>
        )}
        {can('reports.remove') && (
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('reports:schedules.remove', { name })}
            onClick={() => onRemove(schedule)}
          />
        )}
      </Group>
    </Group>
  );
}
