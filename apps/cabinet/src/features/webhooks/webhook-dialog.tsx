import type { Webhook } from '@heliograph/contract';
import { Alert, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import {
  useCreateWebhook,
  useUpdateWebhook,
  webhookQuery,
  type WebhookDraft,
} from './webhooks.api.ts';

/** A new webhook, `?create=true`, and its secret afterwards. Closing clears the secret. */
export function CreateWebhookDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const [secret, setSecret] = useState<string | null>(null);
  const create = useCreateWebhook();
  const isOpen = creating !== null && can('webhooks.create');
  if (!isOpen && secret) setSecret(null);
  const close = () => {
    setSecret(null);
    create.reset();
    setCreating(null, { replace: true });
  };
  const title = t(secret ? 'webhooks:copyTitle' : 'webhooks:createTitle');
  return (
    <Dialog opened={isOpen} onClose={close} size={800} title={title}>
      {secret ? (
        <WebhookSecret secret={secret} onClose={close} />
      ) : (
        <WebhookForm
          row={null}
          submit={create.mutateAsync}
          onDone={(created) => setSecret(created.secret)}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

/** A webhook to read and change, `?id=`. */
export function EditWebhookDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(webhookQuery);
  return (
    <Dialog {...detail.frame} size={800} title={detail.data?.title ?? t('webhooks:detail')}>
      <DetailBody detail={detail} failed={t('webhooks:detailFailed')}>
        {(row) => (
          <EditForm
            key={row.id}
            row={row}
            readOnly={!can('webhooks.update')}
            onClose={detail.frame.onClose}
          />
        )}
      </DetailBody>
    </Dialog>
  );
}

interface EditFormProps {
  row: Webhook;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateWebhook(row.id);
  const submit = ({ event: _, ...changes }: WebhookDraft) => update.mutateAsync(changes);
  const done = ({ title }: Webhook) => {
    showSuccess(t('webhooks:saved', { title }));
    props.onClose();
  };
  return (
    <Stack>
      <StateNotice row={row} />
      <WebhookForm row={row} submit={submit} onDone={done} {...props} />
    </Stack>
  );
}

/** Why the webhook does not deliver, or delivers late. */
export function StateNotice({ row }: { row: Webhook }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, reason, failingSince, blockedUntil } = row;
  if (state === 'active' && !blockedUntil) return null;
  const time = failingSince ? formats.dateTime(failingSince) : '';
  const until = blockedUntil ? formats.dateTime(blockedUntil) : '';
  const isEnded = reason !== null && reason !== 'manual';
  const text =
    state === 'active'
      ? t('webhooks:why.blocked', { time: until })
      : reason === 'failing'
        ? t('webhooks:why.failing', { time })
        : reason === 'gone'
          ? t('webhooks:why.gone')
          : reason === 'forbidden'
            ? t('webhooks:why.forbidden')
            : t(state === 'paused' ? 'webhooks:why.manual' : 'webhooks:why.off');
  return (
    <Alert color={isEnded ? 'red' : 'orange'} variant="light">
      {text}
    </Alert>
  );
}
