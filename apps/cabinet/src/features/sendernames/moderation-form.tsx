import type { Sendername } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { DecisionForm } from '../../ui/decision-form.tsx';
import type { Decision } from '../../ui/decisions.ts';
import { useModerate } from './sendernames.api.ts';

interface ModerationFormProps {
  row: Sendername;
  decisions: Decision[];
  onDone?: () => void;
  withKeys?: boolean;
}

/** The decision about a name; a comment for the customer, and one that only colleagues read. */
export function ModerationForm({ row, decisions, onDone, withKeys }: ModerationFormProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useModerate(row.id);
  return (
    <DecisionForm
      label={t('sendernames:decide', { name: row.name })}
      decisions={decisions}
      hasPrivate
      withKeys={withKeys}
      // The row may leave the queue, and this form with it, before the response is here.
      onDecide={async (verdict) => {
        await mutateAsync(verdict);
        showSuccess(t(`sendernames:done.${verdict.moderation}`, { name: row.name }));
        onDone?.();
      }}
    />
  );
}
