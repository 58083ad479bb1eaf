import type { Channel } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveChannel } from './channels.api.ts';

interface RemoveChannelProps {
  row: Channel | null;
  onClose: () => void;
}

export function RemoveChannel({ row, onClose }: RemoveChannelProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveChannel();
  const last = useLast(row);
  if (!last) return null;
  const { name } = last;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('channels:removeQuestion', { name })}
      action={t('channels:remove', { name })}
      busy={isPending}
      onConfirm={() => mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('channels:removeText')}
    </ConfirmDialog>
  );
}
