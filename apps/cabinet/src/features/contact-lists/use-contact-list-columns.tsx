import type { ContactList } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { ContactListBadge } from './contact-list-badge.tsx';

export function useContactListColumns(): GridColumn<ContactList>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('contactLists:name'),
        cell: (row) => <span title={row.title}>{row.title}</span>,
        sortable: true,
        card: 'title',
      },
      {
        id: 'type',
        header: t('contactLists:type'),
        cell: (row) => <ContactListBadge type={row.type} />,
        width: 180,
        card: 'end',
      },
      {
        id: 'count',
        header: t('contactLists:count'),
        cell: (row) => <span className="numeric">{formats.number(row.count)}</span>,
        width: 120,
        align: 'end',
      },
      {
        id: 'updatedAt',
        header: t('contactLists:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 160,
        hideBelow: 'md',
      },
      {
        id: 'createdAt',
        header: t('contactLists:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        isOptional: true,
      },
    ],
    [t, formats],
  );
}
