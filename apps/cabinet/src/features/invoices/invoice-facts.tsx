import type { Invoice } from '@heliograph/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Blurred } from '../../ui/blurred.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { InvoiceBadge } from './invoice-badge.tsx';

/** What is known of an invoice, and what happened to it in the order of time. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const { currency, vatRate, email } = invoice;
  /** Hidden while personal data is. */
  const hidden = (label: string, value: ReactNode) => ({
    label,
    value: value ? <Blurred what={label}>{value}</Blurred> : null,
  });
  const at = (time: string | null) => time && <Time at={time} />;
  const vat =
    vatRate === null ? (
      t('invoices:noVat')
    ) : (
      <>
        {vatRate} %: <Money value={invoice.vatAmount} currency={currency} />
      </>
    );
  return (
    <Facts
      facts={[
        { label: t('invoices:statusLabel'), value: <InvoiceBadge status={invoice.status} /> },
        hidden(t('invoices:amount'), <Money value={invoice.amount} currency={currency} />),
        hidden(t('invoices:vat'), vat),
        { label: t('invoices:customer'), value: invoice.Owner?.username },
        hidden(t('invoices:requisite'), invoice.requisite?.title),
        hidden(t('invoices:company'), invoice.company.title),
        { label: t('invoices:period'), value: invoice.period },
        { label: t('invoices:created'), value: at(invoice.createdAt) },
        {
          label: t('invoices:validUntil'),
          value: invoice.status === 'pending' && at(invoice.validUntil),
        },
        hidden(
          t('invoices:email'),
          email &&
            t('common:labelled', {
              label: email.to,
              value: t(`invoices:emailStatus.${email.status}`),
            }),
        ),
        { label: t('invoices:paidAt'), value: invoice.type === 'invoice' && at(invoice.paidAt) },
        { label: t('invoices:rejectedAt'), value: at(invoice.rejectedAt) },
        hidden(t('invoices:reason'), invoice.reason),
      ]}
    />
  );
}
