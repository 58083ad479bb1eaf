import { MAX_MONEY, recurrentPayments, RecurrentPaymentInput } from '@heliograph/contract';
import {
  FREQUENCIES,
  RECURRENT_TYPES,
  type Frequency,
  type RecurrentType,
} from '@heliograph/domain';
import { Alert, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSession } from '../../core/session/use-session.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { OfferSection } from '../payments/offer-section.tsx';
import { methodsQuery } from '../payments/payments.api.ts';
import { leaveToPay } from '../../core/return-to.ts';
import { useCreateRecurrent } from './recurrent-payments.api.ts';

/** A new recurring payment; the browser leaves for the first payment, which confirms the card. */
export function CreateRecurrent() {
  const { t } = useTranslation();
  const { OwnerId } = useSettings().session;
  const can = useCan();
  const { previous } = useSession();
  const [creating, setCreating] = useParam('create');
  // The server refuses it in a session that was opened for somebody else.
  const isOpen = creating !== null && can('recurrentPayments.create') && !previous;
  const mayRead = can('payments.get');
  const { data, error, refetch } = useQuery({
    ...methodsQuery(OwnerId),
    enabled: isOpen && mayRead,
  });
  const methods = mayRead ? data?.filter(({ isRecurrent }) => isRecurrent) : [];
  const close = () => setCreating(null, { replace: true });
  return (
    <Dialog opened={isOpen} onClose={close} size={600} title={t('recurrentPayments:create')}>
      {!methods ? (
        error ? (
          <ErrorCard
            title={t('recurrentPayments:create')}
            error={error}
            onRetry={() => void refetch()}
          />
        ) : (
          <DetailsSkeleton />
        )
      ) : methods.length ? (
        <RecurrentForm methods={methods.map(({ method }) => method)} onCancel={close} />
      ) : (
        <Alert color="yellow" role="note">
          {t('recurrentPayments:noMethods')}
        </Alert>
      )}
    </Dialog>
  );
}

interface RecurrentFormProps {
  methods: string[];
  onCancel: () => void;
}

function RecurrentForm({ methods, onCancel }: RecurrentFormProps) {
  const { t } = useTranslation();
  const { defaults, minAmount, maxAmount } = useSettings().payments;
  const amountRule = useAmountRule();
  const { mutateAsync } = useCreateRecurrent();
  const form = useContractForm({
    initial: {
      type: 'threshold' as RecurrentType,
      threshold: '',
      frequency: 'monthly' as Frequency,
      method: methods[0]!,
      amount: String(defaults.individual),
      isOfferAccepted: true,
    },
    schema: recurrentPayments.create.body,
    toBody: ({ type, threshold, frequency, method, amount, isOfferAccepted }) =>
      ({
        type,
        ...(type === 'threshold' ? { threshold: parseDecimal(threshold, 2)! } : { frequency }),
        method,
        amount: parseDecimal(amount, 2)!,
        isOfferAccepted,
      }) as z.input<typeof RecurrentPaymentInput>,
    check: ({ type, threshold, amount }) => ({
      threshold: type === 'threshold' && amountRule(threshold, { min: 0, max: MAX_MONEY }),
      amount: amountRule(amount, { min: minAmount, max: maxAmount }),
    }),
    blockedBy: ({ isOfferAccepted }) => !isOfferAccepted && t('payments:offerNeeded'),
    submit: mutateAsync,
    repeats: true,
    onDone: ({ url }) => leaveToPay(url),
  });
  const { type, threshold, amount } = form.values;
  return (
    <ContractForm form={form} submit={t('recurrentPayments:submit')} onCancel={onCancel}>
      <NativeSelect
        {...form.field('type')}
        label={t('recurrentPayments:type.label')}
        data={RECURRENT_TYPES.map((value) => ({
          value,
          label: t(`recurrentPayments:type.${value}`),
        }))}
        // The field of the other type is cleared.
        onChange={(event) =>
          form.set({ type: event.currentTarget.value as RecurrentType, threshold: '' })
        }
      />
      {type === 'threshold' ? (
        <MoneyInput
          {...form.field('threshold')}
          label={t('recurrentPayments:threshold')}
          required
          value={threshold}
          onChange={(next) => form.set({ threshold: next })}
        />
      ) : (
        <NativeSelect
          {...form.field('frequency')}
          label={t('recurrentPayments:frequency.label')}
          data={FREQUENCIES.map((value) => ({
            value,
            label: t(`recurrentPayments:frequency.${value}`),
          }))}
        />
      )}
      {methods.length > 1 && (
        <NativeSelect
          {...form.field('method')}
          label={t('payments:method')}
          data={methods.map((value) => ({
            value,
            label: t(`payments:methods.${value as 'sandbox'}`),
          }))}
        />
      )}
      <MoneyInput
        {...form.field('amount')}
        label={t('payments:amount')}
        description={t('recurrentPayments:amountHint')}
        required
        value={amount}
        onChange={(next) => form.set({ amount: next })}
      />
      <Checkbox
        {...form.field('isOfferAccepted', { type: 'checkbox' })}
        label={t('recurrentPayments:acceptOffer')}
      />
      <OfferSection method={form.values.method} />
    </ContractForm>
  );
}
