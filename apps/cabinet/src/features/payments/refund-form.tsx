import { payments, type PaymentDetails } from '@heliograph/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { showSuccess } from '../../core/toast.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { useRefund } from './payments.api.ts';

/** Refunds what is left of a payment, or a part, after a question: the money is gone then. */
export function RefundForm({ row }: { row: PaymentDetails }) {
  const { t } = useTranslation();
  const amountRule = useAmountRule(row.currency);
  const formats = useFormats(row.currency);
  const [asked, setAsked] = useState<number | null>(null);
  const shown = useLast(asked);
  const { mutate, isPending } = useRefund(row.id, () => {
    showSuccess(t('payments:refundDone'));
    setAsked(null);
  });
  const left = Math.round((row.amount - row.refunded) * 100) / 100;
  const form = useContractForm({
    initial: { amount: String(left) },
    schema: payments.refund.body,
    toBody: ({ amount }) => ({ amount: parseDecimal(amount, 2)!, refunded: row.refunded }),
    check: ({ amount }) => ({ amount: amountRule(amount, { max: left }) }),
    repeats: true,
    submit: ({ amount }) => Promise.resolve(setAsked(amount)),
  });
  return (
    <>
      <ContractForm
        form={form}
        label={t('payments:refund')}
        guarded={false}
        submit={t('payments:refund')}
      >
        <MoneyInput
          {...form.field('amount')}
          label={t('payments:refundAmount')}
          description={t('payments:refundHint')}
          currency={row.currency}
          value={form.values.amount}
          onChange={(amount) => form.set({ amount })}
        />
      </ContractForm>
      <ConfirmDialog
        opened={asked !== null}
        title={t('payments:refundQuestion', {
          amount: formats.money(shown ?? 0),
          name: row.Owner?.username,
        })}
        action={t('payments:refund')}
        busy={isPending}
        onConfirm={() =>
          mutate({ amount: asked!, refunded: row.refunded }, { onError: () => setAsked(null) })
        }
        onClose={() => setAsked(null)}
      >
        {t('payments:refundText')}
      </ConfirmDialog>
    </>
  );
}
