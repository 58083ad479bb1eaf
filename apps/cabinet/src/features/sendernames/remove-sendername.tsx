import type { Sendername } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveSendername } from './sendernames.api.ts';

interface RemoveSendernameProps {
  row: Sendername | null;
  onClose: () => void;
}

export function RemoveSendername({ row, onClose }: RemoveSendernameProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveSendername();
  const last = useLast(row);
  if (!last) return null;
  const { id, name } = last;
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
