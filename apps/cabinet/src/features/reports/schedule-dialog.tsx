import {
  ReportScheduleInput,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  type ReportPreset,
  type ReportSchedule,
} from '@heliograph/contract';
import { REPEAT_FREQUENCIES, type Locale, type RepeatFrequency } from '@heliograph/domain';
import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { weekdayName } from '../../core/clocks.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { useTimeZone } from '../../core/time-zone.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { reportChoices } from './report-choices.ts';
import { FileFields } from './file-fields.tsx';
import { useSaveSchedule, type ScheduleBody } from './schedules.api.ts';

interface ScheduleDialogProps {
  /** Absent for a new one. */
  schedule?: ReportSchedule;
  onClose: () => void;
}

const DEFAULTS = { frequency: 'daily' as RepeatFrequency, weekday: '1', day: '1', hour: '9' };
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

export function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation();
  const name = schedule && t(`reports:presets.${schedule.preset}`);
  const title = name ? t('reports:schedules.edit', { name }) : t('reports:schedules.create');
  return (
    <Dialog opened onClose={onClose} size={600} title={title}>
      <ScheduleForm schedule={schedule} onClose={onClose} />
    </Dialog>
  );
}

function ScheduleForm({ schedule, onClose }: ScheduleDialogProps) {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const ownZone = useTimeZone();
  const timeZone = schedule?.timeZone ?? ownZone;
  const save = useSaveSchedule(schedule?.id);
  const form = useContractForm({
    initial: {
      preset: (schedule?.preset ?? '') as ReportPreset | '',
      frequency: schedule?.frequency ?? DEFAULTS.frequency,
      weekday: String(schedule?.weekday ?? DEFAULTS.weekday),
      day: String(schedule?.day ?? DEFAULTS.day),
      hour: String(schedule?.hour ?? DEFAULTS.hour),
      ...(schedule
        ? { format: schedule.format, encoding: schedule.encoding, delimiter: schedule.delimiter }
        : reportChoices.get(i18n.language)),
    },
    schema: ReportScheduleInput,
    isEdit: !!schedule,
    toBody: ({ preset, frequency, weekday, day, hour, ...file }): ScheduleBody => ({
      ...file,
      preset: preset as ReportPreset,
      frequency,
      weekday: frequency === 'weekly' ? Number(weekday) : null,
      day: frequency === 'monthly' ? Number(day) : null,
      hour: Number(hour),
      timeZone,
      locale: i18n.language as Locale,
      ...(schedule && { where: schedule.where, isActive: schedule.isActive }),
    }),
    check: ({ preset }) => ({ preset: !preset && 'required' }),
    submit: save.mutateAsync,
    onDone: onClose,
  });
  const presets = REPORT_PRESET_NAMES.filter((value) =>
    can(REPORT_PRESETS[value].can, REPORT_PRESETS[value].accept),
  ).map((value) => ({ value, label: t(`reports:presets.${value}`) }));
  const { frequency } = form.values;
  return (
    <ContractForm form={form} submit={t('reports:schedules.save')} onCancel={onClose}>
      <NativeSelect
        {...form.field('preset')}
        label={t('reports:preset')}
        required
        data={[{ value: '', label: t('reports:choose') }, ...presets]}
      />
      <NativeSelect
        {...form.field('frequency')}
        label={t('reports:schedules.frequencyLabel')}
        data={REPEAT_FREQUENCIES.map((value) => ({
          value,
          label: t(`reports:schedules.frequency.${value}`),
        }))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {frequency === 'weekly' && (
          <NativeSelect
            {...form.field('weekday')}
            label={t('reports:schedules.weekday')}
            data={numbers(1, 7).map((value) => ({
              value,
              label: weekdayName(i18n.language, Number(value)),
            }))}
          />
        )}
        {frequency === 'monthly' && (
          <NativeSelect
            {...form.field('day')}
            label={t('reports:schedules.day')}
            description={t('reports:schedules.dayHint')}
            data={numbers(1, 31)}
          />
        )}
        <NativeSelect
          {...form.field('hour')}
          label={t('reports:schedules.hour')}
          data={numbers(0, 23).map((value) => ({ value, label: `${value.padStart(2, '0')}:00` }))}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('reports:schedules.zone', { zone: timeZone })}
      </Text>
      <FileFields form={form} />
    </ContractForm>
  );
}
