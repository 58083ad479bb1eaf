import type { BillingOperation } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { createFormats } from '../../../core/formats.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

interface ConfirmOperationProps {
  opened: boolean;
  operation: BillingOperation | undefined;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Names the sums of each currency before balances change. */
export function ConfirmOperation({ operation, ...props }: ConfirmOperationProps) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  return (
    <ConfirmDialog
      {...props}
      title={t('operations:confirm.title')}
      action={t('operations:confirm.action')}
    >
      {operation?.sums.map(({ currency, credits, debits, accounts }) => {
        const { money } = createFormats(i18n.language, currency);
        return (
          <span key={currency}>
            {t('operations:confirm.sums', {
              currency,
              credits: money(credits),
              debits: money(debits),
              accounts: formats.number(accounts),
            })}{' '}
          </span>
        );
      })}
      {t('operations:confirm.text')}
    </ConfirmDialog>
  );
}
