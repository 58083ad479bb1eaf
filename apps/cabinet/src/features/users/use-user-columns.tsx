import type { User } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { fullName } from './user-rights.ts';
import { VerifiedBadge } from './verified-badge.tsx';

export function useUserColumns(): GridColumn<User>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'username',
        header: t('users:username'),
        cell: (row) => row.username,
        sortable: true,
        width: 140,
        card: 'title',
      },
      {
        id: 'name',
        header: t('users:name'),
        cell: ({ data }) => fullName(data),
        isSensitive: true,
        card: 'note',
      },
      {
        id: 'email',
        header: t('users:email'),
        cell: ({ data }) => data.email ?? '',
        isSensitive: true,
        width: 190,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'phone',
        header: t('users:phone'),
        cell: ({ data }) => <span className="numeric">{data.phone}</span>,
        isSensitive: true,
        isOptional: true,
        width: 150,
      },
      {
        id: 'balance',
        header: t('users:balance'),
        cell: ({ balance, currency }) =>
          balance !== undefined && <Money value={balance} currency={currency} />,
        isSensitive: true,
        sortable: true,
        width: 130,
        align: 'end',
      },
      {
        id: 'verified',
        header: t('users:verified'),
        cell: (row) => <VerifiedBadge isVerified={row.$verified} />,
        width: 165,
        hideBelow: 'md',
        card: 'end',
      },
      {
        id: 'createdAt',
        header: t('users:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 130,
        hideBelow: 'lg',
      },
    ],
    [t],
  );
}
