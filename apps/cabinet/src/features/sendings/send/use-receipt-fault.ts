import type { SendingReceipt } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';

/** Why a single message was refused after validation: such a refusal comes as a receipt. Null when it was taken. */
export function useReceiptFault(): (receipt: SendingReceipt) => string | null {
  const { t } = useTranslation();
  return ({ status, code, error }) =>
    status === 'failed'
      ? t(`sendings:error.${code ?? 'unknown'}`, { defaultValue: error ?? t('errors:unknown') })
      : null;
}
