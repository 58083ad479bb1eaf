import {
  DEFAULT_INVOICE_AMOUNT,
  MAX_INVOICE_AMOUNT,
  MAX_MONEY,
  notificationSettings,
  type BalanceLimit,
} from '@heliograph/contract';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { companySource, requisiteQuery, requisiteSource } from '../invoices/invoices.api.ts';
import { draftOf } from './limit-change.ts';
import { useSetLimits } from './notification-settings.api.ts';

interface BalanceLimitFormProps {
  limits: BalanceLimit[];
  index: number;
  onClose: () => void;
}

/** One limit, with the invoice that is issued when it is reached. */
export function BalanceLimitForm({ limits, index, onClose }: BalanceLimitFormProps) {
  const { t } = useTranslation();
  const { advanced, session } = useSettings();
  const { OwnerId } = session;
  const mayInvoice = useCan()('invoices.create') && !advanced.isRestricted;
  const amountRule = useAmountRule();
  const { mutateAsync } = useSetLimits();
  const row = limits[index];
  const invoice = (!advanced.isRestricted && row?.invoice) || null;
  const form = useContractForm({
    initial: {
      balance: row ? String(row.balance) : '',
      includeOverdraft: row?.includeOverdraft ?? false,
      hasInvoice: !!invoice,
      requisiteId: invoice?.requisiteId ?? (null as string | null),
      companyId: invoice?.companyId ?? (null as string | null),
      price: String(invoice?.data.SERVICE_PRICE ?? DEFAULT_INVOICE_AMOUNT),
    },
    isEdit: !!row,
    schema: notificationSettings.setLimits.body,
    names: {
      [`limits.${index}.balance`]: 'balance',
      [`limits.${index}.invoice.requisiteId`]: 'requisiteId',
      [`limits.${index}.invoice.companyId`]: 'companyId',
      [`limits.${index}.invoice.data.SERVICE_PRICE`]: 'price',
    },
    toBody({ balance, includeOverdraft, hasInvoice, requisiteId, companyId, price }) {
      const issued = {
        requisiteId: requisiteId!,
        companyId: companyId!,
        type: 'invoice' as const,
        data: { SERVICE_PRICE: parseDecimal(price, 2)! },
      };
      const limit = {
        balance: parseDecimal(balance, 2)!,
        includeOverdraft,
        invoice: hasInvoice && issued,
      };
      return { limits: limits.map(draftOf).toSpliced(index, 1, limit) };
    },
    check: ({ balance, hasInvoice, price }) => ({
      balance: amountRule(balance, { min: 0, max: MAX_MONEY }),
      price: hasInvoice && amountRule(price, { max: MAX_INVOICE_AMOUNT }),
    }),
    blockedBy: ({ hasInvoice, requisiteId, companyId }) =>
      hasInvoice &&
      !(requisiteId && companyId) &&
      t(requisiteId ? 'invoices:chooseCompany' : 'invoices:chooseRequisite'),
    submit: ({ limits: all }) => mutateAsync({ former: row, next: all[index]!, index }),
    onDone() {
      showSuccess(t('notificationSettings:limits.saved'));
      onClose();
    },
  });
  const { hasInvoice, requisiteId, companyId } = form.values;
  // It need not be among the first options, nor among those that can still be chosen.
  const { data: found } = useQuery({
    ...requisiteQuery(requisiteId ?? ''),
    enabled: hasInvoice && !!requisiteId,
  });
  const requisite = requisiteId ? found : undefined;
  const vat = requisite?.data.tax.vat ?? false;
  return (
    <ContractForm form={form} submit={t('notificationSettings:limits.save')} onCancel={onClose}>
      <MoneyInput
        {...form.field('balance')}
        value={form.values.balance}
        label={t('notificationSettings:limits.balance')}
        required
        data-autofocus
      />
      <Checkbox
        {...form.field('includeOverdraft', { type: 'checkbox' })}
        label={t('notificationSettings:limits.includeOverdraft')}
      />
      {mayInvoice && (
        <Checkbox
          {...form.field('hasInvoice', { type: 'checkbox' })}
          label={t('notificationSettings:limits.invoice')}
        />
      )}
      {hasInvoice && (
        <AsyncSelect
          {...form.field('requisiteId')}
          source={requisiteSource(OwnerId)}
          value={requisiteId}
          onChange={(next) => form.set({ requisiteId: next, companyId: null })}
          label={t('invoices:requisite')}
          required
        />
      )}
      {hasInvoice && requisite && (
        <AsyncSelect
          {...form.field('companyId')}
          key={String(vat)}
          source={companySource(OwnerId, vat)}
          value={companyId}
          label={t('invoices:company')}
          required
        />
      )}
      {hasInvoice && (
        <MoneyInput
          {...form.field('price')}
          value={form.values.price}
          label={t('invoices:amount')}
          required
        />
      )}
    </ContractForm>
  );
}
