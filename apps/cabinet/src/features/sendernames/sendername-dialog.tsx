import type { Sendername } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
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
  const last = useLast(row, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={last ? t('sendernames:editTitle', { name: last.name }) : t('sendernames:createTitle')}
      size={500}
    >
      <SendernameForm row={last} type={type} onClose={onClose} />
    </Dialog>
  );
}
