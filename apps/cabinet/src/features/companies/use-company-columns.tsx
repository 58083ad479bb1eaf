import type { Company } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { IconCheck, IconPause } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';

const ACTIVE = { color: 'green', icon: IconCheck };
const INACTIVE = { color: 'gray', icon: IconPause };

export function useCompanyColumns(): GridColumn<Company>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('companies:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'inn',
        header: t('requisites:inn'),
        cell: (row) => <span className="numeric">{row.data.legal.inn}</span>,
        width: 140,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'vat',
        header: t('requisites:column.vat'),
        cell: (row) => t(row.vat ? 'requisites:withVat' : 'requisites:withoutVat'),
        width: 120,
        card: 'note',
      },
      {
        id: 'owner',
        header: t('companies:owner'),
        cell: (row) => row.Owner?.username ?? (row.OwnerId ? '' : t('companies:everyAccount')),
        width: 170,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'types',
        header: t('companies:types'),
        cell: (row) =>
          row.DocumentTemplatesTypes.map((type) => t(`companies:type.${type}`)).join(', '),
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'isActive',
        header: t('companies:state'),
        cell: ({ isActive }) => (
          <StatusBadge
            appearance={isActive ? ACTIVE : INACTIVE}
            label={t(isActive ? 'companies:active' : 'companies:inactive')}
          />
        ),
        width: 160,
        card: 'end',
      },
      {
        id: 'createdAt',
        header: t('companies:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        isOptional: true,
        card: 'note',
      },
    ],
    [t],
  );
}
