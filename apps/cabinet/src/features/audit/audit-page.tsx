import { AUDIT_ACTIONS, type audit, type AuditRecord } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { ListSpec } from '../../list/state/list-spec.ts';
import { useRow } from '../../list/state/use-row.ts';
import { IconAudit } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { accountAuditSpec, auditSpec } from './audit.api.ts';
import { actionText, actorText, changedText } from './audit-words.ts';

const AuditDialog = later(async () => (await import('./audit-dialog.tsx')).AuditDialog);

/** Actions in the accounts that the user sees. */
export function AuditPage() {
  const { t } = useTranslation();
  return <AuditList spec={auditSpec} title={t('audit:title')} />;
}

/** Actions in the user's own account, including those of its reseller and manager. */
export function AccountAuditPage() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const OwnerId = me?.OwnerId;
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  return (
    OwnerId && <AuditList spec={accountAuditSpec} title={t('audit:own.title')} fixed={fixed} />
  );
}

interface AuditListProps {
  spec: ListSpec<typeof audit.find>;
  title: string;
  fixed?: Record<string, unknown>;
}

function AuditList({ spec, title, fixed }: AuditListProps) {
  const { t } = useTranslation();
  const page = useListPage(spec, fixed);
  const hasOwners = 'OwnerId' in spec.filters;
  const columns = useAuditColumns(hasOwners);
  const [id, setId] = useParam('id');
  const opened = useRow(spec, page.list, id, fixed);
  const fields: FilterField[] = [
    manyField('action', t('audit:what'), AUDIT_ACTIONS, (value) => actionText(t, value)),
    { kind: 'owner', label: t('audit:who'), name: 'ActorId' },
    ...(hasOwners ? [{ kind: 'owner', label: t('list:owner') } as const] : []),
    { kind: 'text', name: 'ip', label: t('audit:ip') },
    { kind: 'period', label: t('audit:period') },
  ];
  return (
    <ListPage
      page={page}
      title={title}
      fields={fields}
      columns={columns}
      empty={{ icon: IconAudit, title: t('audit:empty.title'), text: t('audit:empty.text') }}
    >
      <AuditDialog record={opened} onClose={() => setId(null)} />
    </ListPage>
  );
}

/** `owner`: whose account it was, where a list has several. */
function useAuditColumns(owner: boolean): GridColumn<AuditRecord>[] {
  const { t } = useTranslation();
  return useMemo((): GridColumn<AuditRecord>[] => {
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
      timeColumn('createdAt', t('audit:when'), { width: 150, card: 'end' }),
    ];
  }, [t, owner]);
}
