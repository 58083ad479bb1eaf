import { SendingType, type Channel } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconChannel, IconPlus } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { channelSpec, useFreshChannels } from './channels.api.ts';
import { useChannelColumns } from './use-channel-columns.tsx';

const ChannelDialog = later(async () => (await import('./channel-dialog.tsx')).ChannelDialog);
const ChannelDrawer = later(async () => (await import('./channel-drawer.tsx')).ChannelDrawer);
const ChannelTestDialog = later(
  async () => (await import('./channel-test-dialog.tsx')).ChannelTestDialog,
);
const RemoveChannel = later(async () => (await import('./remove-channel.tsx')).RemoveChannel);

export function ChannelsPage() {
  const { t } = useTranslation();
  const can = useCan();
  useFreshChannels();
  const control = useListState(channelSpec);
  const list = useList(channelSpec, control);
  const columns = useChannelColumns();
  const rowTo = useRowLink();
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  const [tested, setTested] = useState<Channel | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('channels:search') },
    {
      kind: 'many',
      name: 'type',
      label: t('channels:type'),
      options: SendingType.options.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    {
      kind: 'one',
      name: 'isActive',
      label: t('channels:state'),
      options: [
        { value: 'true', label: t('channels:on') },
        { value: 'false', label: t('channels:status.off') },
      ],
    },
  ];
  const create = can('channels.create') && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setEdited('new')}
    >
      {t('channels:create')}
    </Button>
  );
  const actions = useCallback(
    (row: Channel) => (
      <ChannelActions
        channel={row}
        onTest={() => setTested(row)}
        onEdit={() => setEdited(row)}
        onRemove={() => setRemoving(row)}
      />
    ),
    [],
  );
  return (
    <>
      <PageHeader title={t('channels:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('channels:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={172}
        empty={
          <Empty
            icon={IconChannel}
            title={t('channels:empty.title')}
            text={t('channels:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      {/* First, so that what it opens lies above it. */}
      <ChannelDrawer onTest={setTested} onEdit={setEdited} />
      <ChannelDialog
        opened={!!edited}
        row={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
      />
      <ChannelTestDialog row={tested} onClose={() => setTested(null)} />
      <RemoveChannel row={removing} onClose={() => setRemoving(null)} />
    </>
  );
}
