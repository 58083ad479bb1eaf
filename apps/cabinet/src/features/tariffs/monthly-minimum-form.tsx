import { MAX_MONEY, monthlyMinimums, type MonthlyMinimum } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { useSetMinimum } from './monthly-minimum.api.ts';

const SCALE = 2;

interface MonthlyMinimumFormProps {
  value: MonthlyMinimum;
  onClose: () => void;
}

/** The minimum of an account; an empty field is none. */
export function MonthlyMinimumForm({ value, onClose }: MonthlyMinimumFormProps) {
  const { t } = useTranslation();
  const amountRule = useAmountRule(value.currency);
  const { mutateAsync } = useSetMinimum(value.OwnerId);
  const form = useContractForm({
    initial: { minimum: value.next ? String(value.next) : '' },
    isEdit: true,
    schema: monthlyMinimums.set.body,
    toBody: ({ minimum }) => ({
      minimum: minimum.trim() ? (parseDecimal(minimum, SCALE) ?? Number.NaN) : 0,
    }),
    check: ({ minimum }) => ({ minimum: amountRule(minimum, { min: 0, max: MAX_MONEY }) }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('monthlyMinimum:saved'));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('monthlyMinimum:save')} onCancel={onClose} />}
    >
      <Text size="sm">{t('monthlyMinimum:text')}</Text>
      <MoneyInput
        {...form.field('minimum')}
        value={form.values.minimum}
        label={t('monthlyMinimum:amount')}
        currency={value.currency}
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        {t('monthlyMinimum:hint')}
      </Text>
    </ContractForm>
  );
}
