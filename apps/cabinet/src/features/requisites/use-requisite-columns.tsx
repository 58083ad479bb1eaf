import type { Requisite } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';

export function useRequisiteColumns(): GridColumn<Requisite>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('requisites:column.title'),
        cell: (row) => row.title,
        sortable: true,
        isSensitive: true,
        card: 'title',
      },
      {
        id: 'inn',
        header: t('requisites:inn'),
        cell: (row) => <span className="numeric">{row.data.legal.inn}</span>,
        isSensitive: true,
        width: 140,
        card: 'note',
      },
      {
        id: 'name',
        header: t('requisites:column.name'),
        cell: (row) => row.data.legal.name,
        isSensitive: true,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'vat',
        header: t('requisites:column.vat'),
        cell: (row) => t(row.data.tax.vat ? 'requisites:withVat' : 'requisites:withoutVat'),
        width: 130,
        card: 'end',
      },
      {
        id: 'createdAt',
        header: t('requisites:column.created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 140,
        isOptional: true,
        card: 'note',
      },
    ],
    [t],
  );
}
