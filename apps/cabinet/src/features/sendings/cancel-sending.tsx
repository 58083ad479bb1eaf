import type { Sending } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconBan } from '../../ui/icons.ts';
import { useCancelSending } from './sendings.api.ts';

/** Cancels a message that can be cancelled; absent for all others. */
export function CancelSending({ sending }: { sending: Sending }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats(sending.Owner?.currency);
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useCancelSending();
  const { id, cancellable, recipient, live, meta } = sending;
  if (!cancellable || !can('sendings.generate')) return null;
  const close = () => setAsked(false);
  const action = t('sendings:cancel.action');
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBan size={16} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {action}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t('sendings:cancel.question', { recipient })}
        action={action}
        keep={t('sendings:cancel.keep')}
        busy={isPending}
        onConfirm={() => mutate(id, { onSettled: close })}
        onClose={close}
      >
        {live && meta.billing?.package !== undefined
          ? t('sendings:cancel.units', { title: meta.billing.package })
          : live && meta.billing
            ? t('sendings:cancel.refund', { money: formats.money(Math.abs(meta.billing.amount)) })
            : t('sendings:cancel.free')}
      </ConfirmDialog>
    </>
  );
}
