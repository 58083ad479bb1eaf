import type { Sending } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ResendForm } from './resend-form.tsx';

interface ResendDialogProps {
  sending: Sending;
  opened: boolean;
  onClose: () => void;
  /** The new message. */
  onSent: (id: string) => void;
}

export function ResendDialog({ sending: given, opened, onClose, onSent }: ResendDialogProps) {
  const { t } = useTranslation();
  const sending = useLast(given, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={500}
      title={t('sendings:resend.title', { recipient: sending.recipient })}
    >
      <ResendForm key={sending.id} sending={sending} onClose={onClose} onSent={onSent} />
    </Dialog>
  );
}
