import type { ContactList } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid-column.ts';
import { IconBan, IconContacts } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';

const LOOK = {
  regular: { color: 'blue', icon: IconContacts },
  blacklist: { color: 'gray', icon: IconBan },
};

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
        cell: (row) => (
          <StatusBadge look={LOOK[row.type]} label={t(`contactLists:types.${row.type}`)} />
        ),
        width: 180,
      },
      {
        id: 'count',
        header: t('contactLists:count'),
        cell: (row) => <span className="numeric">{formats.number(row.count)}</span>,
        width: 120,
        align: 'end',
      },
      {
        id: 'createdAt',
        header: t('contactLists:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 170,
        hideBelow: 'md',
      },
    ],
    [t, formats],
  );
}
