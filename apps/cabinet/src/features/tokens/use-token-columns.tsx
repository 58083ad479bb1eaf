import type { Token } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { TokenExpiry } from './token-expiry.tsx';

export function useTokenColumns(): GridColumn<Token>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'description',
        header: t('tokens:description'),
        cell: (row) => row.description,
        sortable: true,
        card: 'title',
      },
      {
        id: 'prefix',
        header: t('tokens:prefix'),
        cell: (row) => <span className="numeric">{row.prefix}…</span>,
        width: 160,
        card: 'note',
      },
      {
        id: 'permissions',
        header: t('tokens:permissions'),
        cell: (row) =>
          row.permissions
            ? t('tokens:permissionCount', { count: row.permissions.length })
            : t('tokens:allShort'),
        width: 125,
        hideBelow: 'lg',
      },
      {
        id: 'addresses',
        header: t('tokens:addressesShort'),
        cell: ({ ipWhitelist: [first, ...others] }) =>
          first ? (
            <span className="numeric">
              {first}
              {others.length > 0 && ` +${others.length}`}
            </span>
          ) : (
            t('tokens:anyAddress')
          ),
        isSensitive: true,
        width: 150,
        hideBelow: 'lg',
      },
      {
        id: 'expiredAt',
        header: t('tokens:expires'),
        cell: (row) => <TokenExpiry expiredAt={row.expiredAt} />,
        sortable: true,
        width: 180,
        card: 'end',
      },
      {
        id: 'lastUsedAt',
        header: t('tokens:lastUsed'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : t('tokens:unused')),
        sortable: true,
        width: 155,
      },
      {
        id: 'lastUsedIp',
        header: t('tokens:lastUsedFrom'),
        cell: (row) => row.lastUsedIp && <span className="numeric">{row.lastUsedIp}</span>,
        isSensitive: true,
        width: 150,
        hideBelow: 'xl',
      },
      {
        id: 'createdAt',
        header: t('tokens:created'),
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
