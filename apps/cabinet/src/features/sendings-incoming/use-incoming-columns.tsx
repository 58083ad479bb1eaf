import type { SendingIncoming } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Time } from '../../ui/time.tsx';

export function useIncomingColumns(): GridColumn<SendingIncoming>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<SendingIncoming>();
  return useMemo(
    () => [
      {
        id: 'createdAt',
        header: t('incoming:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        card: 'note',
      },
      {
        id: 'type',
        header: t('incoming:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 120,
        card: 'note',
      },
      {
        id: 'from',
        header: t('incoming:from'),
        cell: (row) => <span className="numeric">{row.from}</span>,
        width: 160,
        card: 'title',
        isSensitive: true,
      },
      {
        id: 'to',
        header: t('incoming:to'),
        cell: (row) => row.to,
        width: 140,
        hideBelow: 'lg',
        card: 'note',
        isSensitive: true,
      },
      ...owner,
      {
        id: 'text',
        header: t('incoming:text'),
        cell: ({ payload }) =>
          [
            payload.text,
            payload.image && t('incoming:with.image'),
            payload.file && t('incoming:with.file'),
          ]
            .filter(Boolean)
            .join(' · '),
        isSensitive: true,
        card: 'body',
      },
    ],
    [t, owner],
  );
}
