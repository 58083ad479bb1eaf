import type { StoredFile } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { kindOf } from './file-kind.ts';
import { FileState } from './file-state.tsx';

export function useFileColumns(): GridColumn<StoredFile>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('storage:name'),
        cell: (row) => <span title={row.title}>{row.title}</span>,
        sortable: true,
        card: 'title',
      },
      {
        id: 'kind',
        header: t('storage:kind'),
        cell: ({ type }) => {
          const kind = kindOf(type);
          return kind ? t(`storage:preset.${kind}`) : type;
        },
        width: 150,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'size',
        header: t('storage:size'),
        cell: (row) => <span className="numeric">{formats.bytes(row.size)}</span>,
        sortable: true,
        align: 'end',
        width: 110,
        card: 'note',
      },
      {
        id: 'state',
        header: t('storage:state'),
        // An empty cell is left out of a card.
        cell: (row) => (row.locks > 0 || row.isPublic || row.expiredAt) && <FileState file={row} />,
        width: 230,
        card: 'wide',
      },
      {
        id: 'createdAt',
        header: t('storage:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 170,
        hideBelow: 'lg',
        card: 'note',
      },
    ],
    [t, formats],
  );
}
