import type { TemplateRow } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { Time } from '../../ui/time.tsx';

export function useTemplateColumns(): GridColumn<TemplateRow>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<TemplateRow>();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('templates:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 200,
        card: 'title',
      },
      {
        id: 'type',
        header: t('templates:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 120,
        card: 'note',
      },
      {
        id: 'text',
        header: t('templates:text'),
        cell: (row) => <span title={row.payload.text}>{row.payload.text ?? ''}</span>,
        hideBelow: 'md',
        isSensitive: true,
        card: 'body',
      },
      ...owner,
      {
        id: 'moderation',
        header: t('templates:state'),
        cell: ({ moderation }) => (
          <ModerationBadge state={moderation} label={t(`templates:moderation.${moderation}`)} />
        ),
        width: 165,
        card: 'end',
      },
      {
        id: 'isActive',
        header: t('templates:inUse'),
        cell: (row) => t(row.isActive ? 'templates:offered' : 'templates:inactive'),
        width: 125,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('templates:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'updatedAt',
        header: t('templates:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 160,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, owner],
  );
}
