import type { ContactList } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
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
  const last = useLast(list);
  if (!last) return null;
  const { id, title, count } = last;
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
