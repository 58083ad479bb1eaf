import { PaymentInput, type PaymentMethod } from '@heliograph/contract';
import { commissionOf, moneyToNumber, parseMoney } from '@heliograph/domain';
import { Checkbox, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { OfferSection } from './offer-section.tsx';
import { leaveToPay } from '../../core/return-to.ts';
import { usePay } from './payments.api.ts';

interface CardFormProps {
  methods: PaymentMethod[];
  amount: number | undefined;
  returnTo: string | undefined;
}

/** The sum, the method with its commission, and the offer, which has to be accepted. */
export function CardForm({ methods, amount: missing, returnTo }: CardFormProps) {
  const { t } = useTranslation();
  const { defaults, minAmount, maxAmount } = useSettings().payments;
  const formats = useFormats();
  const amountRule = useAmountRule();
  const { mutateAsync } = usePay();
  const form = useContractForm({
    initial: {
      amount: String(missing === undefined ? defaults.individual : Math.max(minAmount, missing)),
      method: methods[0]!.method,
      isAccepted: false,
    },
    schema: PaymentInput,
    toBody: ({ amount, method }) => ({ amount: parseDecimal(amount, 2)!, method }),
    check: ({ amount }) => ({ amount: amountRule(amount, { min: minAmount, max: maxAmount }) }),
    blockedBy: (values) => !values.isAccepted && t('payments:offerNeeded'),
    submit: mutateAsync,
    repeats: true,
    onDone: ({ url }) => leaveToPay(url, returnTo),
  });
  const { amount, method } = form.values;
  const percent = methods.find((one) => one.method === method)?.commission ?? 0;
  const sum = parseDecimal(amount, 2) ?? 0;
  const commission =
    sum > 0 && sum <= maxAmount ? moneyToNumber(commissionOf(parseMoney(sum), percent)) : 0;
  return (
    <ContractForm
      form={form}
      label={t('payments:cards')}
      guarded={false}
      submit={t('payments:pay')}
    >
      <MoneyInput
        {...form.field('amount')}
        label={t('payments:amount')}
        required
        data-autofocus
        value={amount}
        onChange={(next) => form.set({ amount: next })}
      />
      {methods.length > 1 && (
        <NativeSelect
          {...form.field('method')}
          label={t('payments:method')}
          data={methods.map((one) => ({
            value: one.method,
            label: t(`payments:methods.${one.method as 'sandbox'}`),
          }))}
        />
      )}
      {commission > 0 && (
        <Text size="sm">
          {t('payments:total', {
            percent: formats.number(percent),
            commission: formats.money(commission),
            sum: formats.money(sum + commission),
          })}
        </Text>
      )}
      <Checkbox
        {...form.field('isAccepted', { type: 'checkbox' })}
        label={t('payments:acceptOffer')}
      />
      <OfferSection method={method} />
    </ContractForm>
  );
}
