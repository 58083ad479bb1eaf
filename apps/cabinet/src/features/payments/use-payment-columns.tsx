import type { Payment } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { PaymentBadge } from './payment-badge.tsx';

export function usePaymentColumns(): GridColumn<Payment>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Payment>();
  return useMemo(
    () => [
      {
        id: 'createdAt',
        header: t('payments:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        card: 'title',
      },
      {
        id: 'amount',
        header: t('payments:amount'),
        cell: (row) => (
          <Money
            value={row.amount}
            currency={row.currency}
            refunded={row.status === 'refunded' && t('payments:status.refunded')}
          />
        ),
        sortable: true,
        align: 'end',
        width: 140,
        isSensitive: true,
        card: 'end',
      },
      {
        id: 'status',
        header: t('payments:statusLabel'),
        cell: (row) => <PaymentBadge status={row.status} />,
        width: 220,
        card: 'note',
      },
      {
        id: 'method',
        header: t('payments:method'),
        cell: (row) => t(`payments:methods.${row.method as 'sandbox'}`),
        card: 'note',
      },
      {
        id: 'card',
        header: t('payments:card'),
        cell: (row) =>
          row.meta.bankData && <span className="numeric">•••• {row.meta.bankData.cardNumber}</span>,
        isSensitive: true,
        width: 120,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'commission',
        header: t('payments:commission'),
        cell: (row) => <Money value={row.commission} currency={row.currency} />,
        align: 'end',
        width: 120,
        isOptional: true,
        isSensitive: true,
      },
      ...owner,
    ],
    [t, owner],
  );
}
