import { SendingType, type Pattern } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { Button, Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPattern, IconPlus, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { patternSpec } from './patterns.api.ts';
import { usePatternColumns } from './use-pattern-columns.tsx';

const PatternDrawer = later(async () => (await import('./pattern-drawer.tsx')).PatternDrawer);
const RemovePattern = later(async () => (await import('./remove-pattern.tsx')).RemovePattern);

export function PatternsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(patternSpec);
  const list = useList(patternSpec, control);
  const columns = usePatternColumns();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<Pattern | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('patterns:search') },
    {
      kind: 'many',
      name: 'type',
      label: t('patterns:type'),
      options: SendingType.options.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    {
      kind: 'many',
      name: 'group',
      label: t('patterns:group'),
      options: TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) })),
    },
    { kind: 'owner', label: t('patterns:owner') },
  ];
  const create = can('patterns.create') && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setCreating('true')}
    >
      {t('patterns:create')}
    </Button>
  );
  const mayRemove = can('patterns.remove');
  const actions = useCallback(
    (row: Pattern) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <IconAction
          icon={IconTrash}
          label={t('patterns:remove', { title: row.title })}
          onClick={() => setRemoving(row)}
        />
      </Group>
    ),
    [t],
  );
  return (
    <>
      <PageHeader title={t('patterns:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('patterns:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={mayRemove ? actions : undefined}
        actionsWidth={64}
        empty={
          <Empty
            icon={IconPattern}
            title={t('patterns:empty.title')}
            text={t('patterns:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <RemovePattern row={removing} onClose={() => setRemoving(null)} />
      <PatternDrawer />
    </>
  );
}
