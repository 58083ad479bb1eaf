import type { Contact } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useRemoveContacts } from './contacts.api.ts';

interface RemoveContactsProps {
  /** None closes the dialog. */
  contacts: Contact[];
  onDone: () => void;
  onClose: () => void;
}

/** One contact by its name, or many by their number. */
export function RemoveContacts({ contacts, onDone, onClose }: RemoveContactsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { mutate, isPending } = useRemoveContacts();
  const last = useLast(contacts, contacts.length > 0);
  const [first] = last;
  if (!first) return null;
  const count = last.length;
  const number = formats.number(count);
  const action =
    count === 1
      ? t('contactLists:contact.remove', { contact: first.phone ?? first.email })
      : t('contactLists:contact.removeMany', { count, number });
  const remove = () =>
    mutate(
      last.map(({ id }) => id),
      {
        onSuccess: ({ removed }) => {
          const text = { count: removed, number: formats.number(removed) };
          showSuccess(t('contactLists:contact.removed', text));
          onDone();
        },
      },
    );
  return (
    <ConfirmDialog
      opened={contacts.length > 0}
      title={t('contactLists:contact.removeQuestion', { count, number })}
      action={action}
      busy={isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('contactLists:contact.removeText')}
    </ConfirmDialog>
  );
}
