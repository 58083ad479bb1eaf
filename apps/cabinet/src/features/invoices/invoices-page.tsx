import type { Invoice } from '@heliograph/contract';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { isFirstUse } from '../../list/state/list-state.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { InvoiceBadge } from './invoice-badge.tsx';
import { invoiceSpec } from './invoices.api.ts';

const InvoiceDrawer = later(async () => (await import('./invoice-drawer.tsx')).InvoiceDrawer);
const InvoiceDialog = later(async () => (await import('./invoice-dialog.tsx')).InvoiceDialog);

export function InvoicesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(invoiceSpec);
  const list = useList(invoiceSpec, control);
  const columns = useInvoiceColumns();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const fields: FilterField[] = [
    { kind: 'search', label: t('invoices:search') },
    {
      kind: 'many',
      name: 'status',
      label: t('invoices:statusLabel'),
      options: INVOICE_STATUSES.map((value) => ({ value, label: t(`invoices:status.${value}`) })),
    },
    {
      kind: 'many',
      name: 'type',
      label: t('invoices:type'),
      options: INVOICE_TYPES.map((value) => ({ value, label: t(`invoices:types.${value}`) })),
    },
    { kind: 'period', label: t('invoices:created') },
    { kind: 'owner', label: t('invoices:customer') },
  ];
  const create = can('invoices.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('invoices:create')}</CreateButton>
  );
  return (
    <>
      <PageHeader title={t('invoices:title')} mark={<PeriodMark period={control.state.period} />}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('invoices:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty
            icon={IconTariff}
            title={t('invoices:empty.title')}
            text={t('invoices:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <InvoiceDialog />
      <InvoiceDrawer />
    </>
  );
}

function useInvoiceColumns(): GridColumn<Invoice>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Invoice>();
  return useMemo(
    () => [
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
      {
        id: 'createdAt',
        header: t('invoices:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'md',
        card: 'note',
      },
    ],
    [t, owner],
  );
}
