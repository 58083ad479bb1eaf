import { Moderation, SendernameType, type Sendername } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
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
import { IconEdit, IconPlus, IconSendername, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { sendernameSpec } from './sendernames.api.ts';
import { useSendernameColumns } from './use-sendername-columns.tsx';

const RemoveSendername = later(
  async () => (await import('./remove-sendername.tsx')).RemoveSendername,
);
const SendernameDialog = later(
  async () => (await import('./sendername-dialog.tsx')).SendernameDialog,
);
const SendernameDrawer = later(
  async () => (await import('./sendername-drawer.tsx')).SendernameDrawer,
);

export function SendernamesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(sendernameSpec);
  const list = useList(sendernameSpec, control);
  const columns = useSendernameColumns();
  const rowTo = useRowLink();
  const [creating, setCreating] = useParam('create');
  const [editing, setEditing] = useState<Sendername | null>(null);
  const [removing, setRemoving] = useState<Sendername | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('sendernames:search') },
    {
      kind: 'many',
      name: 'type',
      label: t('sendernames:type'),
      options: SendernameType.options.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    {
      kind: 'many',
      name: 'moderation',
      label: t('sendernames:state'),
      options: Moderation.options.map((value) => ({
        value,
        label: t(`sendernames:moderation.${value}`),
      })),
    },
    { kind: 'owner', label: t('sendernames:owner') },
  ];
  const create = can('sendernames.create') && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setCreating('sms')}
    >
      {t('sendernames:create')}
    </Button>
  );
  const actions = useCallback(
    (row: Sendername) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {can('sendernames.update') && (
          <IconAction
            icon={IconEdit}
            label={t('sendernames:edit', { name: row.name })}
            shortcut="e"
            onClick={() => setEditing(row)}
          />
        )}
        {can('sendernames.remove') && (
          <IconAction
            icon={IconTrash}
            label={t('sendernames:remove', { name: row.name })}
            onClick={() => setRemoving(row)}
          />
        )}
      </Group>
    ),
    [can, t],
  );
  return (
    <>
      <PageHeader title={t('sendernames:title')}>
        {!isFirstUse(list, control.state) && create}
        {can('sendernames.moderate', 'resellerUp') && (
          <Button variant="default" component={Link} to="/settings/sendernames/queue">
            {t('sendernames:queue.open')}
          </Button>
        )}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('sendernames:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={100}
        empty={
          <Empty
            icon={IconSendername}
            title={t('sendernames:empty.title')}
            text={t('sendernames:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <SendernameDialog
        opened={creating !== null && can('sendernames.create')}
        row={null}
        type={creating ?? undefined}
        onClose={() => setCreating(null, { replace: true })}
      />
      <SendernameDialog opened={!!editing} row={editing} onClose={() => setEditing(null)} />
      <RemoveSendername row={removing} onClose={() => setRemoving(null)} />
      <SendernameDrawer />
    </>
  );
}
