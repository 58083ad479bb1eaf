import { Modal } from '@mantine/core';
import type { Sendername } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { SendernameForm } from './sendername-form.tsx';

interface SendernameDialogProps {
  opened: boolean;
  /** The name that is edited; none is a new one. */
  row: Sendername | null;
  /** Of a new one, as the link asked for. */
  type?: string;
  onClose: () => void;
}

export function SendernameDialog({ opened, row, type, onClose }: SendernameDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={row ? t('sendernames:editTitle', { name: row.name }) : t('sendernames:createTitle')}
      size={500}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <SendernameForm row={row} type={type} onClose={onClose} />
    </Modal>
  );
}
