import { quietHours, TrafficGroup, type QuietHours } from '@heliograph/contract';
import { Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clockOf, minutesOf } from '../../core/clocks.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { quietHoursQuery, useUpdateQuietHours } from './suppressions.api.ts';

/** The hours in which messages of the account wait, `?quiet=true`. */
export function QuietHoursDialog() {
  const { t } = useTranslation();
  return (
    <SettingsDialog
      param="quiet"
      title={t('suppressions:quiet.title')}
      query={quietHoursQuery}
      failed={t('suppressions:quiet.failed')}
    >
      {(hours, close) => <QuietHoursForm hours={hours} onClose={close} />}
    </SettingsDialog>
  );
}

function QuietHoursForm({ hours, onClose }: { hours: QuietHours; onClose: () => void }) {
  const { t } = useTranslation();
  const readOnly = !useCan()('quietHours.update');
  const { mutateAsync } = useUpdateQuietHours();
  const form = useContractForm({
    initial: {
      isActive: hours.isActive,
      from: clockOf(hours.from),
      until: clockOf(hours.until),
      groups: hours.groups as string[],
      singles: hours.singles,
      timeZone: hours.timeZone,
    },
    schema: quietHours.update.body,
    isEdit: true,
    toBody: ({ from, until, groups, ...values }) => ({
      ...values,
      from: minutesOf(from),
      until: minutesOf(until),
      groups: groups as QuietHours['groups'],
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('suppressions:quiet.saved'));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      submit={t('suppressions:save')}
      onCancel={onClose}
    >
      <Text size="sm">{t('suppressions:quiet.text')}</Text>
      <Switch
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('suppressions:quiet.isActive')}
      />
      <Group grow align="flex-start">
        <TextInput {...form.field('from')} type="time" label={t('suppressions:quiet.from')} />
        <TextInput {...form.field('until')} type="time" label={t('suppressions:quiet.until')} />
      </Group>
      <Checkbox.Group {...form.field('groups')} label={t('suppressions:quiet.groups')}>
        <Stack gap="xs" mt="xs">
          {TrafficGroup.options.map((group) => (
            <Checkbox key={group} value={group} label={t(`suppressions:quiet.group.${group}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch
        {...form.field('singles', { type: 'checkbox' })}
        label={t('suppressions:quiet.singles')}
        description={t('suppressions:quiet.singlesHint')}
      />
      <ZoneSelect
        {...form.field('timeZone')}
        label={t('suppressions:quiet.timeZone')}
        description={t('suppressions:quiet.timeZoneHint')}
      />
    </ContractForm>
  );
}
