import type { Sending } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import type { GridColumn } from '../../list/grid-column.ts';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { SendingBadge } from './sending-badge.tsx';

export function useOutgoingColumns(): GridColumn<Sending>[] {
  const { t } = useTranslation();
  const withOwner = useCan()('users.get', 'resellerUp');
  return useMemo(() => {
    const columns: GridColumn<Sending>[] = [
      {
        id: 'createdAt',
        header: t('sendings:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        card: 'hidden',
      },
      {
        id: 'type',
        header: t('sendings:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 110,
      },
      {
        id: 'sender',
        header: t('sendings:sender'),
        cell: (row) => row.payload.sender,
        width: 130,
        // An owner takes its place where there is one.
        hideBelow: withOwner ? 'xl' : 'lg',
      },
      {
        id: 'recipient',
        header: t('sendings:recipient'),
        cell: (row) => <span className="numeric">{row.recipient}</span>,
        width: 145,
        card: 'title',
      },
      {
        id: 'text',
        header: t('sendings:text'),
        cell: (row) => row.payload.text ?? '',
        card: 'wide',
      },
      {
        id: 'status',
        header: t('sendings:status'),
        cell: (row) => <SendingBadge status={row.state.status} />,
        width: 150,
      },
      {
        id: 'price',
        header: t('sendings:price'),
        cell: ({ meta }) =>
          meta.billing && (
            <Money
              value={Math.abs(meta.billing.amount)}
              refunded={meta.billing.refunded && t('common:refunded')}
            />
          ),
        width: 95,
        align: 'end',
      },
    ];
    if (withOwner) {
      const owner: GridColumn<Sending> = {
        id: 'owner',
        header: t('sendings:owner'),
        cell: (row) => row.Owner?.username ?? '',
        width: 120,
        hideBelow: 'lg',
      };
      columns.splice(3, 0, owner);
    }
    return columns;
  }, [t, withOwner]);
}
