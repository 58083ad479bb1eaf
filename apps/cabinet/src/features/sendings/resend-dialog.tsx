import type { Sending } from '@heliograph/contract';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ResendForm } from './resend-form.tsx';

interface ResendDialogProps {
  sending: Sending;
  opened: boolean;
  onClose: () => void;
  /** The new message. */
  onSent: (id: string) => void;
}

export function ResendDialog({ sending, opened, onClose, onSent }: ResendDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={500}
      title={t('sendings:resend.title', { recipient: sending.recipient })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ResendForm sending={sending} onClose={onClose} onSent={onSent} />
    </Modal>
  );
}
