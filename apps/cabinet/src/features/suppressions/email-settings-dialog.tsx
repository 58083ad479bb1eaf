import { emailSettings, type EmailSettings } from '@heliograph/contract';
import { Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { emailSettingsQuery, useUpdateEmailSettings } from './suppressions.api.ts';

/** Whether the account is told which of its e-mails are opened, `?email=true`. */
export function EmailSettingsDialog() {
  const { t } = useTranslation();
  return (
    <SettingsDialog
      param="email"
      title={t('suppressions:email.title')}
      query={emailSettingsQuery}
      failed={t('suppressions:email.failed')}
    >
      {(settings, close) => <EmailSettingsForm settings={settings} onClose={close} />}
    </SettingsDialog>
  );
}

function EmailSettingsForm({
  settings: { tellsOpened },
  onClose,
}: {
  settings: EmailSettings;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const readOnly = !useCan()('emailSettings.update');
  const { mutateAsync } = useUpdateEmailSettings();
  const form = useContractForm({
    initial: { tellsOpened },
    schema: emailSettings.update.body,
    isEdit: true,
    toBody: (values) => values,
    submit: mutateAsync,
    onDone() {
      showSuccess(t('suppressions:email.saved'));
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
      <Text size="sm">{t('suppressions:email.text')}</Text>
      <Switch
        {...form.field('tellsOpened', { type: 'checkbox' })}
        label={t('suppressions:email.tellsOpened')}
        description={t('suppressions:email.tellsOpenedHint')}
      />
    </ContractForm>
  );
}
