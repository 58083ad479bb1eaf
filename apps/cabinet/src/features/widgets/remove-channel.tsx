import type { OtpChannel } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveChannel } from './widgets.api.ts';

interface RemoveChannelProps {
  row: OtpChannel | null;
  onClose: () => void;
}

export function RemoveChannel(props: RemoveChannelProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ name }) => ({
        question: t('widgets:channels.removeQuestion', { name }),
        action: t('widgets:remove', { name }),
        text: t('widgets:channels.removeText'),
      })}
      change={useRemoveChannel()}
    />
  );
}
