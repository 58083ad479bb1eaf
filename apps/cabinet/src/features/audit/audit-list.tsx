import { AUDIT_ACTIONS, type audit } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import type { ListSpec } from '../../list/state/list-spec.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { useRow } from '../../list/state/use-row.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAudit } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { actionText } from './audit-words.ts';
import { useAuditColumns } from './use-audit-columns.tsx';

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
