import type { RecurrentPayment } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';

/** What is charged, and when: "500 ₽ monthly". */
export function RuleSentence({ row }: { row: RecurrentPayment }) {
  const { t } = useTranslation();
  const formats = useFormats(row.currency);
  const amount = formats.money(row.amount);
  if (row.frequency) return t(`recurrentPayments:rule.${row.frequency}`, { amount });
  return t('recurrentPayments:rule.threshold', {
    amount,
    threshold: formats.money(row.threshold ?? 0),
  });
}
