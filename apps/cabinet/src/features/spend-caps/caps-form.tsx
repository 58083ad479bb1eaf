import { MAX_MONEY, SpendCapInput, type SpendCap } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useTimeZone } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { useSetCaps } from './spend-caps.api.ts';

const SCALE = 2;
const limitOf = (text: string) => (text.trim() ? parseDecimal(text, SCALE) : null);

interface CapsFormProps {
  OwnerId: string;
  TokenId: string | null;
  caps: SpendCap[];
  onClose: () => void;
}

/** A limit for a day and one for a month; an empty field is no limit. */
export function CapsForm({ OwnerId, TokenId, caps, onClose }: CapsFormProps) {
  const { t } = useTranslation();
  const amountRule = useAmountRule();
  const { mutateAsync } = useSetCaps();
  const timeZone = useTimeZone();
  const textOf = (period: SpendCap['period']) =>
    String(caps.find((cap) => cap.period === period)?.limit ?? '');
  const form = useContractForm({
    initial: { day: textOf('day'), month: textOf('month') },
    schema: SpendCapInput,
    isEdit: true,
    toBody: ({ day, month }) => ({
      OwnerId,
      TokenId,
      day: limitOf(day),
      month: limitOf(month),
      timeZone,
    }),
    check: ({ day, month }) => ({
      day: amountRule(day, { min: 0, max: MAX_MONEY }),
      month: amountRule(month, { min: 0, max: MAX_MONEY }),
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('spendCaps:saved'));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      label={t('spendCaps:title')}
      footer={<FormFooter form={form} submit={t('spendCaps:save')} onCancel={onClose} />}
    >
      <MoneyInput
        {...form.field('day')}
        value={form.values.day}
        label={t('spendCaps:day')}
        data-autofocus
      />
      <MoneyInput {...form.field('month')} value={form.values.month} label={t('spendCaps:month')} />
      <Text size="xs" c="dimmed">
        {t('spendCaps:hint', { zone: timeZone })}
      </Text>
    </ContractForm>
  );
}
