import type { Sendername } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { Time } from '../../ui/time.tsx';

export function useSendernameColumns(): GridColumn<Sendername>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Sendername>();
  return useMemo(() => {
    const columns: GridColumn<Sendername>[] = [
      {
        id: 'name',
        header: t('sendernames:name'),
        cell: (row) => row.name,
        sortable: true,
        width: 160,
        card: 'title',
      },
      {
        id: 'type',
        header: t('sendernames:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 130,
        card: 'note',
      },
      {
        id: 'moderation',
        header: t('sendernames:state'),
        cell: ({ moderation }) => (
          <ModerationBadge state={moderation} label={t(`sendernames:moderation.${moderation}`)} />
        ),
        width: 160,
        card: 'end',
      },
      {
        id: 'comment',
        header: t('sendernames:comment'),
        cell: (row) => <span title={row.meta.comment}>{row.meta.comment}</span>,
        hideBelow: 'md',
        isSensitive: true,
        card: 'wide',
      },
      {
        id: 'isActive',
        header: t('sendernames:inUse'),
        cell: (row) => t(row.isActive ? 'sendernames:offered' : 'sendernames:inactive'),
        width: 125,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('sendernames:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 170,
        hideBelow: 'lg',
        card: 'note',
      },
    ];
    columns.splice(3, 0, ...owner);
    return columns;
  }, [t, owner]);
}
