import type { Template } from '@heliograph/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveTemplate } from './templates.api.ts';

interface RemoveTemplateProps {
  row: Template | null;
  onClose: () => void;
}

export function RemoveTemplate({ row, onClose }: RemoveTemplateProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveTemplate();
  const last = useRef(row);
  if (row) last.current = row;
  if (!last.current) return null;
  const { id, title } = last.current;
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
