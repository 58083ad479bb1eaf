import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSeesOwners } from '../../core/owners.ts';
import type { GridColumn } from './grid-column.ts';

/** The column with the owner's name for users who see rows of other accounts, else none: `[...useOwnerColumn<Task>()]`. */
export function useOwnerColumn<T extends { Owner?: { username: string } }>(): GridColumn<T>[] {
  const { t } = useTranslation();
  const sees = useSeesOwners();
  return useMemo(() => {
    const owner: GridColumn<T> = {
      id: 'owner',
      header: t('list:owner'),
      cell: (row) => row.Owner?.username ?? '',
      width: 120,
      hideBelow: 'lg',
      isSensitive: true,
      card: 'note',
    };
    return sees ? [owner] : [];
  }, [t, sees]);
}
