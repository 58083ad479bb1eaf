import { suppressions, type OptOutSettings } from '@heliograph/contract';
import { isSuppressible, MAX_CONFIRMATION } from '@heliograph/domain';
import { NativeSelect, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { wordsOf } from './suppression-values.ts';
import { optOutQuery, useConfigureOptOut, type OptOutDraft } from './suppressions.api.ts';

/** The words of the account and its confirmations, `?words=true`. */
export function OptOutDialog() {
  const { t } = useTranslation();
  return (
    <SettingsDialog
      param="words"
      title={t('suppressions:words')}
      size={600}
      query={optOutQuery}
      failed={t('suppressions:wordsFailed')}
    >
      {(settings, close) => <OptOutForm settings={settings} onClose={close} />}
    </SettingsDialog>
  );
}

interface OptOutFormProps {
  settings: OptOutSettings;
  onClose: () => void;
}

function OptOutForm({ settings, onClose }: OptOutFormProps) {
  const { t } = useTranslation();
  const { types } = useSettings().sendings;
  const readOnly = !useCan()('suppressions.update');
  const { mutateAsync } = useConfigureOptOut();
  const form = useContractForm({
    initial: {
      stopWords: settings.stopWords.join('\n'),
      startWords: settings.startWords.join('\n'),
      covers: settings.covers,
      isConfirmed: settings.isConfirmed,
      stopText: settings.stopText,
      startText: settings.startText,
      type: settings.type ?? '',
      sender: settings.sender ?? '',
    },
    schema: suppressions.configure.body,
    isEdit: true,
    toBody: ({ stopWords, startWords, type, sender, ...values }): OptOutDraft => ({
      ...values,
      stopWords: wordsOf(stopWords),
      startWords: wordsOf(startWords),
      type: (type || null) as OptOutDraft['type'],
      sender: (type && sender.trim()) || null,
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('suppressions:wordsSaved'));
      onClose();
    },
  });
  const { values } = form;
  const words = { autosize: true, minRows: 3, maxRows: 8 };
  const text = { autosize: true, minRows: 2, maxLength: MAX_CONFIRMATION, required: true };
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      submit={t('suppressions:save')}
      onCancel={onClose}
    >
      <Textarea
        {...form.field('stopWords')}
        {...words}
        label={t('suppressions:stopWords')}
        description={t('suppressions:stopWordsHint')}
        data-autofocus
      />
      <Textarea
        {...form.field('startWords')}
        {...words}
        label={t('suppressions:startWords')}
        description={t('suppressions:startWordsHint')}
      />
      <Radio.Group {...form.field('covers')} label={t('suppressions:scope.label')}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('suppressions:scope.all')} />
          <Radio value="channel" label={t('suppressions:scope.channel')} />
        </Stack>
      </Radio.Group>
      <Switch
        {...form.field('isConfirmed', { type: 'checkbox' })}
        label={t('suppressions:isConfirmed')}
        description={t('suppressions:isConfirmedHint')}
      />
      {values.isConfirmed && (
        <>
          <Textarea {...form.field('stopText')} {...text} label={t('suppressions:stopText')} />
          <Textarea {...form.field('startText')} {...text} label={t('suppressions:startText')} />
          <NativeSelect
            {...form.field('type')}
            label={t('suppressions:confirmType')}
            data={[
              { value: '', label: t('suppressions:sameType') },
              ...types
                .filter(isSuppressible)
                .map((type) => ({ value: type, label: t(`common:type.${type}`) })),
            ]}
          />
          {values.type && (
            <TextInput
              {...form.text('sender')}
              label={t('suppressions:sender')}
              required
              autoComplete="off"
            />
          )}
        </>
      )}
    </ContractForm>
  );
}
