import type { InboundRule } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveInboundRule } from './inbound-rules.api.ts';

interface RemoveInboundRuleProps {
  row: InboundRule | null;
  onClose: () => void;
}

export function RemoveInboundRule(props: RemoveInboundRuleProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('inboundRules:removeQuestion', { title }),
        action: t('inboundRules:remove', { title }),
        text: t('inboundRules:removeText'),
      })}
      change={useRemoveInboundRule()}
    />
  );
}
