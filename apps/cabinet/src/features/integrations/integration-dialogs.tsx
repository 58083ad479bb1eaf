import type { Integration } from '@heliograph/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { IntegrationForm } from './integration-form.tsx';
import {
  useCreateIntegration,
  useRemoveIntegration,
  useRotateIntegration,
  useUpdateIntegration,
  type IntegrationDraft,
} from './integrations.api.ts';

type Made = Pick<Integration, 'kind'> & { url: string };

/** A new integration, `?create=true`, and its URL afterwards. Closing clears the URL. */
export function CreateIntegration() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const [made, setMade] = useState<Made | null>(null);
  const create = useCreateIntegration();
  const isOpen = creating !== null && can('integrations.create');
  if (!isOpen && made) setMade(null);
  const close = () => {
    setMade(null);
    create.reset();
    setCreating(null, { replace: true });
  };
  const title = t(made ? 'integrations:copyTitle' : 'integrations:createTitle');
  return (
    <Dialog opened={isOpen} onClose={close} size={600} title={title}>
      {made ? (
        <UrlOnce made={made} onClose={close} />
      ) : (
        <IntegrationForm row={null} submit={create.mutateAsync} onDone={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

interface RowDialogProps {
  row: Integration | null;
  onClose: () => void;
}

export function EditIntegration({ row, onClose }: RowDialogProps) {
  const shown = useLast(row);
  if (!shown) return null;
  return (
    <Dialog opened={!!row} onClose={onClose} size={600} title={shown.title}>
      <EditForm key={shown.id} row={shown} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ row, onClose }: { row: Integration; onClose: () => void }) {
  const { t } = useTranslation();
  const update = useUpdateIntegration(row.id);
  const submit = ({ kind: _, portal: __, ...changes }: IntegrationDraft) =>
    update.mutateAsync(changes);
  const done = ({ title }: Integration) => {
    showSuccess(t('integrations:saved', { title }));
    onClose();
  };
  return <IntegrationForm row={row} submit={submit} onDone={done} onClose={onClose} />;
}

/** Replaces the URL and shows the new one. Closing clears it. */
export function RotateIntegration({ row, onClose }: RowDialogProps) {
  const { t } = useTranslation();
  const shown = useLast(row);
  const [made, setMade] = useState<Made | null>(null);
  const rotate = useRotateIntegration();
  const close = () => {
    setMade(null);
    rotate.reset();
    onClose();
  };
  if (!shown) return null;
  if (made)
    return (
      <Dialog opened={!!row} onClose={close} size={600} title={t('integrations:copyTitle')}>
        <UrlOnce made={made} onClose={close} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('integrations:rotateQuestion', { title: shown.title })}
      action={t('integrations:rotateSubmit')}
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate(shown.id, { onSuccess: setMade })}
      onClose={close}
    >
      {t('integrations:rotateText')}
    </ConfirmDialog>
  );
}

export function RemoveIntegration(props: RowDialogProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('integrations:removeQuestion', { title }),
        action: t('integrations:remove', { title }),
        text: t('integrations:removeText'),
      })}
      change={useRemoveIntegration()}
    />
  );
}

function UrlOnce({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <SecretOnce
        value={made.url}
        shown={made.url.lastIndexOf('/') + 1}
        label={t('integrations:url')}
        warning={t('integrations:onceWarning')}
      />
      <Text size="sm">{t(`integrations:next.${made.kind}`)}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}
