import type { Channel } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveChannel } from './channels.api.ts';

interface RemoveChannelProps {
  row: Channel | null;
  onClose: () => void;
}

export function RemoveChannel(props: RemoveChannelProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ name }) => ({
        question: t('channels:removeQuestion', { name }),
        action: t('channels:remove', { name }),
        text: t('channels:removeText'),
      })}
      change={useRemoveChannel()}
    />
  );
}
