import { webhooks, type Webhook } from '@heliograph/contract';
import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { useRotateWebhook } from './webhooks.api.ts';

interface RotateWebhookProps {
  row: Webhook | null;
  onClose: () => void;
}

/** Replaces the secret of a webhook and shows the new one. Closing clears it. */
export function RotateWebhook({ row, onClose }: RotateWebhookProps) {
  const { t } = useTranslation();
  const shown = useLast(row);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  if (!shown) return null;
  const title = secret
    ? t('webhooks:copyTitle')
    : t('webhooks:rotateTitle', { title: shown.title });
  return (
    <Dialog opened={!!row} onClose={close} size={600} title={title}>
      {secret ? (
        <WebhookSecret secret={secret} onClose={close} />
      ) : (
        <RotateForm key={shown.id} id={shown.id} onDone={setSecret} onClose={close} />
      )}
    </Dialog>
  );
}

interface RotateFormProps {
  id: string;
  onDone: (secret: string) => void;
  onClose: () => void;
}

const OVERLAPS = [0, 1, 24, 168];

function RotateForm({ id, onDone, onClose }: RotateFormProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useRotateWebhook(id);
  const form = useContractForm({
    initial: { overlapHours: '24' },
    schema: webhooks.rotate.body,
    toBody: ({ overlapHours }) => ({ overlapHours: Number(overlapHours) }),
    submit: mutateAsync,
    onDone: ({ secret }) => onDone(secret),
  });
  return (
    <ContractForm form={form} submit={t('webhooks:rotateSubmit')} onCancel={onClose}>
      <Text size="sm">{t('webhooks:rotateText')}</Text>
      <NativeSelect
        {...form.field('overlapHours')}
        label={t('webhooks:overlap')}
        data={OVERLAPS.map((count) => ({
          value: String(count),
          label: count ? t('webhooks:overlapHours', { count }) : t('webhooks:overlapNone'),
        }))}
      />
    </ContractForm>
  );
}
