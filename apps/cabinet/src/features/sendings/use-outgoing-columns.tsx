import type { Sending } from '@heliograph/contract';
import { isBilledBySegment } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Charge } from '../../ui/charge.tsx';
import { TestBadge } from '../../ui/test-badge.tsx';
import { SendingBadge } from './sending-badge.tsx';

/** `isFailed`: the list is of failures, whose reason is then shown without being asked for. */
export function useOutgoingColumns(isFailed: boolean): GridColumn<Sending>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Sending>();
  return useMemo((): GridColumn<Sending>[] => {
    const columns: GridColumn<Sending>[] = [
      timeColumn('createdAt', t('sendings:created'), { width: 150, card: 'note' }),
      {
        id: 'type',
        header: t('sendings:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 110,
        card: 'note',
      },
      {
        id: 'sender',
        header: t('sendings:sender'),
        cell: (row) => row.payload.sender,
        width: 130,
        isSensitive: true,
        // An owner or the reason takes its place where there is one.
        hideBelow: owner.length || isFailed ? 'xl' : 'lg',
        card: 'note',
      },
      {
        id: 'recipient',
        header: t('sendings:recipient'),
        cell: (row) => <span className="numeric">{row.recipient}</span>,
        width: 145,
        card: 'title',
        isSensitive: true,
      },
      {
        id: 'text',
        header: t('sendings:text'),
        cell: (row) => row.payload.text ?? '',
        isSensitive: true,
        hideBelow: isFailed ? 'xl' : undefined,
        card: 'body',
      },
      {
        id: 'status',
        header: t('sendings:status'),
        cell: (row) => <SendingBadge {...row} />,
        width: 150,
        card: 'end',
      },
      {
        id: 'price',
        header: t('sendings:price'),
        cell: ({ live, meta, Owner }) =>
          !live ? (
            <TestBadge />
          ) : (
            meta.billing && (
              <Charge
                amount={Math.abs(meta.billing.amount)}
                of={meta.billing.package}
                currency={Owner?.currency}
                isRefunded={meta.billing.refunded}
              />
            )
          ),
        // The name of a package is readable on its two lines.
        width: 150,
        align: 'end',
        card: 'note',
        isSensitive: true,
      },
      {
        id: 'segments',
        header: t('sendings:segments'),
        cell: ({ type, meta }) =>
          isBilledBySegment(type) && <span className="numeric">{meta.stats.segments}</span>,
        width: 90,
        align: 'end',
        isOptional: true,
      },
      {
        id: 'operator',
        header: t('sendings:operator'),
        cell: ({ meta }) => meta.operator?.name ?? '',
        width: 130,
        hideBelow: 'xl',
        isSensitive: true,
      },
      {
        id: 'error',
        header: t('sendings:errorLabel'),
        cell: ({ state }) =>
          state.code && t(`sendings:error.${state.code}`, { defaultValue: state.error ?? '' }),
        width: isFailed ? undefined : 240,
        isOptional: !isFailed,
      },
    ];
    columns.splice(3, 0, ...owner);
    return columns;
  }, [t, owner, isFailed]);
}
