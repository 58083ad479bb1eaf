import {
  DEFAULT_INVOICE_AMOUNT,
  invoices,
  MAX_INVOICE_AMOUNT,
  type Invoice,
} from '@heliograph/contract';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { parseDecimal } from '../../core/decimal-text.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSeesOwners } from '../../core/owners.ts';
import { useSettings } from '../../core/settings.ts';
import { useAmountRule } from '../../core/use-amount-rule.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import {
  companySource,
  optionsQuery,
  requisiteQuery,
  requisiteSource,
  useCreateInvoice,
} from './invoices.api.ts';

interface InvoiceFormProps {
  /** The account that pays; absent where resellers and managers choose it. */
  OwnerId?: string;
  /** The sum that is offered. */
  amount?: number;
  onIssued: (invoice: Invoice) => void;
  onCancel?: () => void;
}

/** Each field appears when those before it are chosen: the customer, the requisite, the company, the sum. */
export function InvoiceForm({ OwnerId, amount, onIssued, onCancel }: InvoiceFormProps) {
  const { t } = useTranslation();
  const { session } = useSettings();
  const choosesCustomer = useSeesOwners() && !OwnerId;
  const amountRule = useAmountRule();
  const { mutateAsync } = useCreateInvoice();
  const form = useContractForm({
    initial: {
      customerId: (OwnerId ?? session.OwnerId) as string | null,
      requisiteId: null as string | null,
      companyId: null as string | null,
      amount: String(amount ?? DEFAULT_INVOICE_AMOUNT),
    },
    schema: invoices.create.body,
    toBody: ({ customerId, requisiteId, companyId, amount: typed }) => ({
      customerId: customerId!,
      requisiteId: requisiteId!,
      companyId: companyId!,
      amount: parseDecimal(typed, 2)!,
    }),
    check: ({ amount: typed }) => ({ amount: amountRule(typed, { max: MAX_INVOICE_AMOUNT }) }),
    blockedBy: ({ requisiteId, companyId }) =>
      !requisiteId ? t('invoices:chooseRequisite') : companyId ? null : t('invoices:chooseCompany'),
    submit: mutateAsync,
    onDone: onIssued,
  });
  const { customerId, requisiteId, companyId } = form.values;
  const requisites = useQuery({
    ...optionsQuery(requisiteSource(customerId ?? '')),
    enabled: !!customerId,
  });
  // It need not be among the first options.
  const { data: found } = useQuery({
    ...requisiteQuery(requisiteId ?? ''),
    enabled: !!requisiteId,
  });
  const requisite = requisiteId ? found : undefined;
  const vat = requisite?.data.tax.vat ?? false;
  const companies = useQuery({
    ...optionsQuery(companySource(customerId ?? '', vat)),
    enabled: !!requisite,
  });
  return (
    <ContractForm form={form} submit={t('invoices:issue')} onCancel={onCancel}>
      {choosesCustomer && (
        <OwnerSelect
          {...form.field('customerId')}
          value={customerId}
          onChange={(next) => form.set({ customerId: next, requisiteId: null, companyId: null })}
          label={t('invoices:customer')}
          required
        />
      )}
      {customerId && requisites.data?.data.length === 0 && (
        <NoRequisites isOwn={customerId === session.OwnerId} />
      )}
      {customerId && (requisites.error || !!requisites.data?.data.length) && (
        <AsyncSelect
          {...form.field('requisiteId')}
          key={customerId}
          source={requisiteSource(customerId)}
          value={requisiteId}
          onChange={(next) => form.set({ requisiteId: next, companyId: null })}
          label={t('invoices:requisite')}
          required
        />
      )}
      {requisite && companies.data?.data.length === 0 && <NoCompanies />}
      {customerId && requisite && (companies.error || !!companies.data?.data.length) && (
        <AsyncSelect
          {...form.field('companyId')}
          key={`${customerId} ${vat}`}
          source={companySource(customerId, vat)}
          value={companyId}
          label={t('invoices:company')}
          required
        />
      )}
      {companyId && (
        <MoneyInput
          {...form.field('amount')}
          value={form.values.amount}
          label={t('invoices:amount')}
          required
        />
      )}
    </ContractForm>
  );
}

/** The account has no requisite; its own user can add one, and returns to where it is needed. */
function NoRequisites({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const to = `/account/requisites/create?to=${encodeURIComponent(pathname + search)}`;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('invoices:noRequisites')}</Text>
        {isOwn && (
          <Button component={Link} to={to} variant="default" size="xs">
            {t('invoices:toRequisites')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** No company has the same form of taxation and a template of invoices. */
function NoCompanies() {
  const { t } = useTranslation();
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('invoices:noCompanies')}
    </Alert>
  );
}
