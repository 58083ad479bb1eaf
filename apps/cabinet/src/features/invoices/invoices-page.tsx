import type { Invoice } from '@heliograph/contract';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { InvoiceBadge } from './invoice-badge.tsx';
import { invoiceSpec } from './invoices.api.ts';

const InvoiceDrawer = later(async () => (await import('./invoice-drawer.tsx')).InvoiceDrawer);
const InvoiceDialog = later(async () => (await import('./invoice-dialog.tsx')).InvoiceDialog);

export function InvoicesPage() {
  const { t } = useTranslation();
  const page = useListPage(invoiceSpec);
  const columns = useInvoiceColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('invoices:search') },
    manyField('status', t('invoices:statusLabel'), INVOICE_STATUSES, (value) =>
      t(`invoices:status.${value}`),
    ),
    manyField('type', t('invoices:type'), INVOICE_TYPES, (value) => t(`invoices:types.${value}`)),
    { kind: 'period', label: t('invoices:created') },
    { kind: 'owner', label: t('invoices:customer') },
  ];
  const create = useCreateButton(t('invoices:create'), 'invoices.create');
  return (
    <ListPage
      page={page}
      title={t('invoices:title')}
      mark={<PeriodMark period={page.control.state.period} />}
      fields={fields}
      create={create}
      columns={columns}
      empty={{ icon: IconTariff, title: t('invoices:empty.title'), text: t('invoices:empty.text') }}
    >
      <InvoiceDialog />
      <InvoiceDrawer />
    </ListPage>
  );
}

function useInvoiceColumns(): GridColumn<Invoice>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Invoice>();
  return useMemo(
    (): GridColumn<Invoice>[] => [
      {
        id: 'docNumber',
        header: t('invoices:number'),
        cell: (row) => row.docNumber,
        width: 150,
        card: 'title',
      },
      {
        id: 'type',
        header: t('invoices:type'),
        cell: (row) => t(`invoices:types.${row.type}`),
        width: 110,
        card: 'note',
      },
      ...owner,
      {
        id: 'requisite',
        header: t('invoices:requisite'),
        cell: (row) => row.requisite?.title ?? '',
        isSensitive: true,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'company',
        header: t('invoices:company'),
        cell: (row) => row.company.title,
        isSensitive: true,
        hideBelow: 'xl',
      },
      {
        id: 'amount',
        header: t('invoices:amount'),
        cell: (row) => <Money value={row.amount} currency={row.currency} />,
        align: 'end',
        sortable: true,
        isSensitive: true,
        width: 140,
      },
      {
        id: 'status',
        header: t('invoices:statusLabel'),
        cell: (row) => <InvoiceBadge status={row.status} />,
        width: 205,
        card: 'end',
      },
      timeColumn('createdAt', t('invoices:created'), { width: 150, hideBelow: 'md', card: 'note' }),
    ],
    [t, owner],
  );
}
