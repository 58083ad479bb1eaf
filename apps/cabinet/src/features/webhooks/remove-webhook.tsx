import type { Webhook } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveWebhook } from './webhooks.api.ts';

interface RemoveWebhookProps {
  row: Webhook | null;
  onClose: () => void;
}

export function RemoveWebhook(props: RemoveWebhookProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('webhooks:removeQuestion', { title }),
        action: t('webhooks:remove', { title }),
        text: t('webhooks:removeText'),
      })}
      change={useRemoveWebhook()}
    />
  );
}
