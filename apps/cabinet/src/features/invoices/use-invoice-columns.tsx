import type { Invoice } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { InvoiceBadge } from './invoice-badge.tsx';

export function useInvoiceColumns(): GridColumn<Invoice>[] {
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
