import { frequencyCap, type FrequencyCap } from '@heliograph/contract';
import { MAX_CAP_DAYS, MAX_CAP_MESSAGES } from '@heliograph/domain';
import { Group, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { frequencyCapQuery, useUpdateFrequencyCap } from './suppressions.api.ts';

/** How many advertising messages of the account a person gets, `?cap=true`. */
export function FrequencyCapDialog() {
  const { t } = useTranslation();
  return (
    <SettingsDialog
      param="cap"
      title={t('suppressions:cap.title')}
      query={frequencyCapQuery}
      failed={t('suppressions:cap.failed')}
    >
      {(cap, close) => <FrequencyCapForm cap={cap} onClose={close} />}
    </SettingsDialog>
  );
}

function FrequencyCapForm({ cap, onClose }: { cap: FrequencyCap; onClose: () => void }) {
  const { t } = useTranslation();
  const readOnly = !useCan()('frequencyCap.update');
  const { mutateAsync } = useUpdateFrequencyCap();
  const form = useContractForm({
    initial: {
      isActive: cap.isActive,
      messages: cap.messages as number | null,
      days: cap.days as number | null,
      singles: cap.singles,
    },
    schema: frequencyCap.update.body,
    isEdit: true,
    toBody: ({ messages, days, ...values }) => ({
      ...values,
      messages: messages as number,
      days: days as number,
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('suppressions:cap.saved'));
      onClose();
    },
  });
  const { values } = form;
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      submit={t('suppressions:save')}
      onCancel={onClose}
    >
      <Text size="sm">{t('suppressions:cap.text')}</Text>
      <Switch
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('suppressions:cap.isActive')}
      />
      <Group grow align="flex-start">
        <NumberField
          {...form.field('messages')}
          value={values.messages}
          onChange={(messages) => form.set({ messages })}
          label={t('suppressions:cap.messages')}
          required
          scale={0}
          min={1}
          max={MAX_CAP_MESSAGES}
        />
        <NumberField
          {...form.field('days')}
          value={values.days}
          onChange={(days) => form.set({ days })}
          label={t('suppressions:cap.days')}
          required
          scale={0}
          min={1}
          max={MAX_CAP_DAYS}
        />
      </Group>
      <Switch
        {...form.field('singles', { type: 'checkbox' })}
        label={t('suppressions:cap.singles')}
        description={t('suppressions:cap.singlesHint')}
      />
    </ContractForm>
  );
}
