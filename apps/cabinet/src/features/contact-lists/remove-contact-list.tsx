import type { ContactList } from '@heliograph/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveContactList } from './contact-lists.api.ts';

export function RemoveContactList({
  list,
  onClose,
}: {
  list: ContactList | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { mutate, isPending } = useRemoveContactList();
  const last = useRef(list);
  if (list) last.current = list;
  if (!last.current) return null;
  const { id, title, count } = last.current;
  return (
    <ConfirmDialog
      opened={!!list}
      title={t('contactLists:removeQuestion', { title })}
      action={t('contactLists:remove', { title })}
      busy={isPending}
      onConfirm={() => mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('contactLists:removeText', { count, number: formats.number(count) })}
    </ConfirmDialog>
  );
}
