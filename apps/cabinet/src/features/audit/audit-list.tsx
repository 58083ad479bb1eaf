import { AUDIT_ACTIONS, type audit, type AuditRecord } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParam } from '../../core/use-param.ts';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Pager } from '../../list/grid/pager.tsx';
import type { ListSpec } from '../../list/state/list-spec.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { useRow } from '../../list/state/use-row.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAudit } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { actionText, actorText, changedText } from './audit-words.ts';

const AuditDialog = later(async () => (await import('./audit-dialog.tsx')).AuditDialog);

interface AuditListProps {
  spec: ListSpec<typeof audit.find>;
  caption: string;
  fixed?: Record<string, unknown>;
}

export function AuditList({ spec, caption, fixed }: AuditListProps) {
  const { t } = useTranslation();
  const control = useListState(spec);
  const list = useList(spec, control, fixed);
  const hasOwners = 'OwnerId' in spec.filters;
  const columns = useAuditColumns(hasOwners);
  const rowTo = useRowLink();
  const [id, setId] = useParam('id');
  const opened = useRow(spec, list, id, fixed);
  const fields: FilterField[] = [
    {
      kind: 'many',
      name: 'action',
      label: t('audit:what'),
      options: AUDIT_ACTIONS.map((value) => ({ value, label: actionText(t, value) })),
    },
    { kind: 'owner', label: t('audit:who'), name: 'ActorId' },
    ...(hasOwners ? [{ kind: 'owner', label: t('list:owner') } as const] : []),
    { kind: 'text', name: 'ip', label: t('audit:ip') },
    { kind: 'period', label: t('audit:period') },
  ];
  return (
    <>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={caption}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty icon={IconAudit} title={t('audit:empty.title')} text={t('audit:empty.text')} />
        }
      />
      <Pager list={list} control={control} />
      <AuditDialog record={opened} onClose={() => setId(null)} />
    </>
  );
}

/** `owner`: whose account it was, where a list has several. */
function useAuditColumns(owner: boolean): GridColumn<AuditRecord>[] {
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
