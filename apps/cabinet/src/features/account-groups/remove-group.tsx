import type { GroupRef } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveGroup, type Noun } from './account-groups.api.ts';

interface RemoveGroupProps {
  noun: Noun;
  row: GroupRef | null;
  onClose: () => void;
}

export function RemoveGroup({ noun, row, onClose }: RemoveGroupProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveGroup(noun);
  const last = useLast(row);
  if (!last) return null;
  const { id, title } = last;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('accountGroups:removeQuestion', { title })}
      action={t('accountGroups:remove', { title })}
      busy={isPending}
      onConfirm={() => mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t(`accountGroups:removeText.${noun}`)}
    </ConfirmDialog>
  );
}
