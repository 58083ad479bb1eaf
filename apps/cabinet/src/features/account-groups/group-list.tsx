import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import type { ListControl } from '../../list/state/use-list-state.ts';
import type { List } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import type { AccountGroup, Noun } from './account-groups.api.ts';

const RemoveGroup = later(async () => (await import('./remove-group.tsx')).RemoveGroup);

interface GroupListProps<T> {
  noun: Noun;
  icon: Icon;
  control: ListControl;
  list: List<T>;
  /** What stands in a group, beside its title and how many are in it. */
  contents: GridColumn<T>[];
}

/** The groups of one kind. */
export function GroupList<T extends AccountGroup>(props: GroupListProps<T>) {
  const { noun, icon, control, list, contents } = props;
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<T | null>(null);
  const columns = useMemo(
    (): GridColumn<T>[] => [
      {
        id: 'title',
        header: t('accountGroups:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 220,
        card: 'title',
      },
      ...contents,
      {
        id: 'accounts',
        header: t('accountGroups:accounts'),
        cell: (row) => <span className="numeric">{formats.number(row.accounts)}</span>,
        align: 'end',
        width: 110,
        hideBelow: 'md',
      },
      {
        id: 'createdAt',
        header: t('accountGroups:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'updatedAt',
        header: t('accountGroups:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        width: 150,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, formats, contents],
  );
  const create = can(`${noun}.create`) && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setCreating('true')}
    >
      {t('accountGroups:create')}
    </Button>
  );
  const mayRemove = can(`${noun}.remove`);
  const actions = useCallback(
    (row: T) => (
      <IconAction
        icon={IconTrash}
        label={t('accountGroups:remove', { title: row.title })}
        onClick={() => setRemoving(row)}
      />
    ),
    [t],
  );
  return (
    <>
      <PageHeader title={t(`accountGroups:title.${noun}`)}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar
        fields={[{ kind: 'search', label: t('accountGroups:search') }]}
        control={control}
      />
      <DataGrid
        caption={t(`accountGroups:title.${noun}`)}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={mayRemove ? actions : undefined}
        actionsWidth={64}
        empty={
          <Empty
            icon={icon}
            title={t(`accountGroups:emptyTitle.${noun}`)}
            text={t(`accountGroups:emptyText.${noun}`)}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <RemoveGroup noun={noun} row={removing} onClose={() => setRemoving(null)} />
    </>
  );
}
