import type { Channel } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ChannelTestForm } from './channel-test-form.tsx';

interface ChannelTestDialogProps {
  row: Channel | null;
  onClose: () => void;
}

export function ChannelTestDialog({ row, onClose }: ChannelTestDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row);
  return (
    <Dialog
      opened={!!row}
      onClose={onClose}
      title={last && t('channels:testOf', { name: last.name })}
      size={500}
    >
      {last && <ChannelTestForm key={last.name} channel={last} onClose={onClose} />}
    </Dialog>
  );
}
