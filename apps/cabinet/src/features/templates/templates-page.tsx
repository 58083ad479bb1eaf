import { Moderation, type TemplateRow } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
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
import { IconPlus, IconSend, IconTemplate, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { templateSpec } from './templates.api.ts';
import { useTemplateColumns } from './use-template-columns.tsx';

const RemoveTemplate = later(async () => (await import('./remove-template.tsx')).RemoveTemplate);
const TemplateDrawer = later(async () => (await import('./template-drawer.tsx')).TemplateDrawer);

export function TemplatesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const { sendings } = useSettings();
  const control = useListState(templateSpec);
  const list = useList(templateSpec, control);
  const columns = useTemplateColumns();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<TemplateRow | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('templates:search') },
    {
      kind: 'many',
      name: 'type',
      label: t('templates:type'),
      options: sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    {
      kind: 'many',
      name: 'moderation',
      label: t('templates:state'),
      options: Moderation.options.map((value) => ({
        value,
        label: t(`templates:moderation.${value}`),
      })),
    },
    {
      kind: 'one',
      name: 'isActive',
      label: t('templates:inUse'),
      options: [
        { value: 'true', label: t('templates:active') },
        { value: 'false', label: t('templates:inactive') },
      ],
    },
    { kind: 'owner', label: t('templates:owner') },
  ];
  const create = can('templates.create') && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setCreating('true')}
    >
      {t('templates:create')}
    </Button>
  );
  const actions = useCallback(
    (row: TemplateRow) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {can('sendings.generate') && (
          <IconAction
            icon={IconSend}
            label={t('templates:useTitle', { title: row.title })}
            disabled={!row.isActive || row.moderation === 'rejected'}
            onClick={() => void navigate(`/send/${row.id}`)}
          />
        )}
        {can('templates.remove') && (
          <IconAction
            icon={IconTrash}
            label={t('templates:remove', { title: row.title })}
            onClick={() => setRemoving(row)}
          />
        )}
      </Group>
    ),
    [can, navigate, t],
  );
  return (
    <>
      <PageHeader title={t('templates:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('templates:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={100}
        empty={
          <Empty
            icon={IconTemplate}
            title={t('templates:empty.title')}
            text={t('templates:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <RemoveTemplate row={removing} onClose={() => setRemoving(null)} />
      <TemplateDrawer />
    </>
  );
}
