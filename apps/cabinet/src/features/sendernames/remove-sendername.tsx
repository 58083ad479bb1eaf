import type { Sendername } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveSendername } from './sendernames.api.ts';

interface RemoveSendernameProps {
  row: Sendername | null;
  onClose: () => void;
}

export function RemoveSendername(props: RemoveSendernameProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ name }) => ({
        question: t('sendernames:removeQuestion', { name }),
        action: t('sendernames:remove', { name }),
        text: t('sendernames:removeText'),
      })}
      change={useRemoveSendername()}
    />
  );
}
