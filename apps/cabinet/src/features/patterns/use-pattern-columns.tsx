import type { Pattern } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Time } from '../../ui/time.tsx';

export function usePatternColumns(): GridColumn<Pattern>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Pattern>();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('patterns:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 180,
        card: 'title',
      },
      {
        id: 'type',
        header: t('patterns:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 130,
        card: 'note',
      },
      {
        id: 'text',
        header: t('patterns:text'),
        cell: (row) => <span title={row.text}>{row.text}</span>,
        card: 'body',
      },
      ...owner,
      {
        id: 'group',
        header: t('patterns:group'),
        cell: (row) => t(`common:group.${row.group}`),
        width: 150,
        card: 'end',
      },
      {
        id: 'sender',
        header: t('patterns:sender'),
        cell: (row) => row.sender ?? t('patterns:anySender'),
        width: 130,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'mccmnc',
        header: t('patterns:network'),
        cell: (row) => row.mccmnc ?? t('patterns:allNetworks'),
        width: 110,
        hideBelow: 'xl',
      },
      {
        id: 'createdAt',
        header: t('patterns:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'updatedAt',
        header: t('patterns:updated'),
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
