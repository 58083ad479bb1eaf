import type { Contact } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ContactConsents } from './contact-consents.tsx';
import { ContactForm } from './contact-form.tsx';

interface ContactDialogProps {
  listId: string;
  opened: boolean;
  /** The contact that is changed; none is a new one. */
  contact: Contact | null;
  phone?: string;
  /** Absent of whom the person may not forget. */
  onErase?: () => void;
  onClose: () => void;
}

export function ContactDialog({
  listId,
  opened,
  contact,
  phone,
  onErase,
  onClose,
}: ContactDialogProps) {
  const { t } = useTranslation();
  const last = useLast(contact, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(last ? 'contactLists:contact.editTitle' : 'contactLists:contact.createTitle')}
      size={600}
    >
      <ContactForm
        listId={listId}
        contact={last}
        phone={phone}
        onErase={last ? onErase : undefined}
        onClose={onClose}
      />
      {last && <ContactConsents key={last.id} id={last.id} />}
    </Dialog>
  );
}
