import type { Sendername } from '@heliograph/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveSendername } from './sendernames.api.ts';

interface RemoveSendernameProps {
  row: Sendername | null;
  onClose: () => void;
}

export function RemoveSendername({ row, onClose }: RemoveSendernameProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveSendername();
  const last = useRef(row);
  if (row) last.current = row;
  if (!last.current) return null;
  const { id, name } = last.current;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('sendernames:removeQuestion', { name })}
      action={t('sendernames:remove', { name })}
      busy={isPending}
      onConfirm={() => mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('sendernames:removeText')}
    </ConfirmDialog>
  );
}
