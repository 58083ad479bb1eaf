import type { Contact } from '@heliograph/contract';
import { Modal } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ContactForm } from './contact-form.tsx';

interface ContactDialogProps {
  listId: string;
  opened: boolean;
  /** The contact that is changed; none is a new one. */
  contact: Contact | null;
  phone?: string;
  onClose: () => void;
}

export function ContactDialog({ listId, opened, contact, phone, onClose }: ContactDialogProps) {
  const { t } = useTranslation();
  const last = useRef(contact);
  if (opened) last.current = contact;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(
        last.current ? 'contactLists:contact.editTitle' : 'contactLists:contact.createTitle',
      )}
      size={600}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ContactForm listId={listId} contact={last.current} phone={phone} onClose={onClose} />
    </Modal>
  );
}
