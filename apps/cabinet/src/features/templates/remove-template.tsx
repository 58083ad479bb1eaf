import type { TemplateRow } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveTemplate } from './templates.api.ts';

interface RemoveTemplateProps {
  row: TemplateRow | null;
  onClose: () => void;
}

export function RemoveTemplate({ row, onClose }: RemoveTemplateProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveTemplate();
  const last = useLast(row);
  if (!last) return null;
  const { id, title } = last;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('templates:removeQuestion', { title })}
      action={t('templates:remove', { title })}
      busy={isPending}
      onConfirm={() => mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('templates:removeText')}
    </ConfirmDialog>
  );
}
