import type { Contact } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useErasePerson } from './contacts.api.ts';

interface ErasePersonProps {
  /** None closes the dialog. */
  contact: Contact | null;
  /** Whose contact it is. */
  OwnerId?: string;
  onClose: () => void;
}

/** Forgets whom a contact names, by all addresses that it has. */
export function ErasePerson({ contact, OwnerId, onClose }: ErasePersonProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useErasePerson();
  const last = useLast(contact, !!contact);
  if (!last) return null;
  const name = last.phone ?? last.email;
  const addresses = [last.phone, last.email].filter((address) => address !== null);
  const erase = () =>
    mutate(
      { addresses, OwnerId },
      {
        onSuccess: () => {
          showSuccess(t('contactLists:contact.erased', { contact: name }));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened={!!contact}
      title={t('contactLists:contact.eraseQuestion', { contact: name })}
      action={t('contactLists:contact.erase')}
      busy={isPending}
      onConfirm={erase}
      onClose={onClose}
    >
      {t('contactLists:contact.eraseText')}
    </ConfirmDialog>
  );
}
