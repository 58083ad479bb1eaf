import type { DocumentTemplate } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { TemplateState } from './template-state.tsx';

export function useTemplateColumns(): GridColumn<DocumentTemplate>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('documentTemplates:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'type',
        header: t('documentTemplates:type'),
        cell: (row) => t(`documentTemplates:types.${row.type}`),
        width: 160,
        card: 'note',
      },
      {
        id: 'company',
        header: t('documentTemplates:company'),
        cell: (row) => row.company.title,
        card: 'note',
      },
      {
        id: 'isActive',
        header: t('documentTemplates:state'),
        cell: (row) => <TemplateState row={row} />,
        width: 210,
        card: 'end',
      },
      {
        id: 'updatedAt',
        header: t('documentTemplates:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('documentTemplates:created'),
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
