import { MAX_MONEY, type BillingInput, type User } from '@heliograph/contract';
import { Checkbox, NativeSelect, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { useBalance } from '../../core/account.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import {
  EMPTY,
  hasUnits,
  toBilling,
  type BalanceValues,
  balanceAfter,
  counterBalance,
} from './balance-values.ts';
import { useChangeBalance } from './users.api.ts';

interface BalanceFormProps {
  user: User;
  onClose: () => void;
}

const NAMES = {
  amount: 'sum',
  'data.multiplier': 'multiplier',
  'data.hidden.comment': 'comment',
  'data.hidden.noRef': 'noRef',
};

/** Money by hand onto an account or off it, with what the balance is and will be. */
export function BalanceForm({ user, onClose }: BalanceFormProps) {
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  // A reseller moves money between its own balance and the customer's.
  const isTransfer = session.level === 'reseller';
  const amountRule = useAmountRule(user.currency);
  const { mutateAsync } = useChangeBalance();
  const form = useContractForm({
    initial: EMPTY,
    // Without the schema: `toBilling` has checked the values, and there is no body while one of them is wrong.
    names: NAMES,
    check(values) {
      const body = toBilling(values, user.OwnerId);
      if (!('wrong' in body)) return {};
      if (body.wrong === 'multiplier') return { multiplier: t('users:unitsRule') };
      return { sum: amountRule(values.sum, { max: MAX_MONEY }) ?? t('users:sumRule') };
    },
    toBody: (values) => toBilling(values, user.OwnerId) as z.input<typeof BillingInput>,
    submit: mutateAsync,
    onDone() {
      showSuccess(t('users:balanceChanged', { username: user.username }));
      onClose();
    },
  });
  const isAccrual = form.values.direction === 'accrual';
  const submit = t(isAccrual ? 'users:doAccrual' : 'users:doSubtract');
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={submit} onCancel={onClose} />}
    >
      <SegmentedControl
        fullWidth
        aria-label={t('users:direction')}
        value={form.values.direction}
        onChange={(direction) => form.set({ direction: direction as BalanceValues['direction'] })}
        data={[
          { value: 'accrual', label: t('users:accrual') },
          { value: 'subtract', label: t('users:subtract') },
        ]}
      />
      {isTransfer && (
        <Text size="sm" aria-live="polite">
          {t(isAccrual ? 'users:fromYours' : 'users:toYours')}
        </Text>
      )}
      {!isAccrual && (
        <NativeSelect
          {...form.field('source')}
          label={t('users:source')}
          data={[
            { value: 'subtract', label: t('users:byHand') },
            ...sendings.types.map((type) => ({
              value: `sendings.${type}`,
              label: t(`common:type.${type}`),
            })),
          ]}
        />
      )}
      <MoneyInput
        {...form.field('sum')}
        value={form.values.sum}
        currency={user.currency}
        label={t('users:sum')}
        required
        data-autofocus
      />
      {hasUnits(form.values) && (
        <TextInput
          {...form.field('multiplier')}
          label={t('users:units')}
          description={t('users:unitsHint')}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      <Textarea
        {...form.field('comment')}
        label={t('users:comment')}
        description={t('users:commentHint')}
        autosize
        minRows={2}
        maxLength={500}
      />
      <Checkbox {...form.field('noRef', { type: 'checkbox' })} label={t('users:noRef')} />
      <BalancePreview user={user} values={form.values} isTransfer={isTransfer} />
    </ContractForm>
  );
}

interface BalancePreviewProps {
  user: User;
  values: BalanceValues;
  isTransfer: boolean;
}

/** The balance before and after; of a transfer also the balance on the other side. */
function BalancePreview({ user, values, isTransfer }: BalancePreviewProps) {
  const { t } = useTranslation();
  const formats = useFormats(user.currency);
  const own = useBalance().data?.balance;
  const before = user.balance ?? 0;
  const after = balanceAfter(before, values);
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          { label: t('users:before'), value: formats.money(before) },
          {
            label: t('users:after'),
            value: after === null ? '—' : <strong>{formats.money(after)}</strong>,
          },
          ...(isTransfer && own !== undefined
            ? [{ label: t('users:yours'), value: formats.money(counterBalance(own, values)) }]
            : []),
        ]}
      />
    </div>
  );
}
