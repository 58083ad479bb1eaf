import type { AuditRecord } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { actionText, actorText, changedText } from './audit-words.ts';

/** `owner`: whose account it was, where a list has several. */
export function useAuditColumns(owner: boolean): GridColumn<AuditRecord>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const account: GridColumn<AuditRecord> = {
      id: 'owner',
      header: t('list:owner'),
      cell: (row) => row.Owner?.username ?? '',
      isSensitive: true,
      width: 130,
      card: 'note',
    };
    return [
      {
        id: 'action',
        header: t('audit:what'),
        cell: (row) => (
          <>
            {actionText(t, row.action)}
            {row.count > 1 && <span className="numeric"> ×{row.count}</span>}
          </>
        ),
        width: 230,
        card: 'title',
      },
      {
        id: 'actor',
        header: t('audit:who'),
        cell: (row) => actorText(t, row),
        isSensitive: true,
        width: 170,
        card: 'note',
      },
      ...(owner ? [account] : []),
      {
        id: 'changes',
        header: t('audit:changes'),
        cell: (row) => changedText(t, row),
        isSensitive: true,
        hideBelow: 'lg',
        card: 'body',
        isRare: true,
      },
      {
        id: 'ip',
        header: t('audit:ip'),
        cell: (row) => row.ip && <span className="numeric">{row.ip}</span>,
        isSensitive: true,
        width: 140,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('audit:when'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        card: 'end',
      },
    ];
  }, [t, owner]);
}
