import type { Pattern } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemovePattern } from './patterns.api.ts';

interface RemovePatternProps {
  row: Pattern | null;
  onClose: () => void;
}

export function RemovePattern({ row, onClose }: RemovePatternProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemovePattern();
  const last = useLast(row);
  if (!last) return null;
  const { id, title } = last;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('patterns:removeQuestion', { title })}
      action={t('patterns:remove', { title })}
      busy={isPending}
      onConfirm={() => mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('patterns:removeText')}
    </ConfirmDialog>
  );
}
