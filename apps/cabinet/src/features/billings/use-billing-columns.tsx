import type { Billing } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Time } from '../../ui/time.tsx';
import { BillingBadge } from './billing-badge.tsx';
import { EntryAmount } from './entry-amount.tsx';
import { useSourceText } from './source-text.ts';

export function useBillingColumns(): GridColumn<Billing>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Billing>();
  const sourceText = useSourceText();
  return useMemo(
    () => [
      {
        id: 'source',
        header: t('billings:sourceLabel'),
        cell: (row) => sourceText(row),
        card: 'title',
      },
      {
        id: 'amount',
        header: t('billings:amount'),
        cell: (row) => <EntryAmount entry={row} />,
        sortable: true,
        width: 150,
        align: 'end',
        card: 'end',
        isSensitive: true,
      },
      {
        id: 'status',
        header: t('billings:statusLabel'),
        cell: (row) => <BillingBadge status={row.status} />,
        width: 150,
        card: 'body',
      },
      ...owner,
      {
        id: 'comment',
        header: t('billings:comment'),
        cell: (row) => row.data.hidden?.comment,
        hideBelow: 'xl',
        isOptional: true,
        isSensitive: true,
      },
      {
        id: 'createdAt',
        header: t('billings:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 170,
        card: 'note',
      },
    ],
    // The texts of sources change with the language, as `t` does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [t, owner],
  );
}
