import type { ReportSchedule } from '@heliograph/contract';
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.ts';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { usePauseSchedule } from './schedules.api.ts';

interface ScheduleRowProps {
  schedule: ReportSchedule;
  onEdit: (schedule: ReportSchedule) => void;
  onRemove: (schedule: ReportSchedule) => void;
}

export function ScheduleRow({ schedule, onEdit, onRemove }: ScheduleRowProps) {
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
