import { inboundRules, type InboundTrialResult } from '@heliograph/contract';
import { isSuppressible } from '@heliograph/domain';
import { Alert, List, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useTryInboundRules, type InboundTrialDraft } from './inbound-rules.api.ts';

/** What would happen to a message, `?try=true`. Nothing is sent. */
export function TrialDialog() {
  const { t } = useTranslation();
  const [open, setOpen] = useParam('try');
  const close = () => setOpen(null, { replace: true });
  return (
    <Dialog
      opened={open !== null}
      onClose={close}
      size={600}
      title={t('inboundRules:trial.title')}
      savesNothing
    >
      <TrialForm onClose={close} />
    </Dialog>
  );
}

function TrialForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const types = useSettings().sendings.types.filter(isSuppressible);
  const [result, setResult] = useState<InboundTrialResult | null>(null);
  const { mutateAsync } = useTryInboundRules();
  const form = useContractForm({
    initial: { type: types[0] ?? 'sms', to: '', from: '', text: '' },
    schema: inboundRules.try.body,
    toBody: ({ from, to, ...values }): InboundTrialDraft => ({
      ...values,
      to: to.trim(),
      from: from.trim() || null,
    }),
    repeats: true,
    submit: mutateAsync,
    onDone: setResult,
  });
  return (
    <Stack gap="md">
      <ContractForm
        form={form}
        guarded={false}
        submit={t('inboundRules:trial.submit')}
        onCancel={onClose}
      >
        <Textarea
          {...form.text('text')}
          label={t('inboundRules:trial.text')}
          required
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
        />
        <NativeSelect
          {...form.field('type')}
          label={t('inboundRules:trial.type')}
          data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
        />
        <TextInput
          {...form.field('to')}
          label={t('inboundRules:trial.to')}
          required
          maxLength={150}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.field('from')}
          label={t('inboundRules:trial.from')}
          description={t('inboundRules:trial.fromHint')}
          autoComplete="off"
          spellCheck={false}
        />
      </ContractForm>
      <div role="status">{result && <Result result={result} />}</div>
    </Stack>
  );
}

function Result({ result: { optOut, matches } }: { result: InboundTrialResult }) {
  const { t } = useTranslation();
  if (optOut)
    return (
      <Alert color="orange" variant="light">
        {t(`inboundRules:trial.${optOut}`)}
      </Alert>
    );
  if (!matches.length)
    return (
      <Alert color="gray" variant="light">
        {t('inboundRules:trial.none')}
      </Alert>
    );
  return (
    <Stack gap="sm">
      {matches.map(({ id, title, actions, replyText }) => (
        <Alert key={id} variant="light" title={title}>
          <List size="sm">
            {actions.map(({ action, hold }) => (
              <List.Item key={action}>
                {t(`inboundRules:action.${action}`)}
                {hold && ` — ${t(`inboundRules:hold.${hold}`)}`}
              </List.Item>
            ))}
          </List>
          {replyText && (
            <Text size="sm" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {t('inboundRules:trial.reply', { text: replyText })}
            </Text>
          )}
        </Alert>
      ))}
    </Stack>
  );
}
