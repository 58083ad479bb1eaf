import { SendingType, type Channel } from '@heliograph/contract';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconChannel } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
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
  const page = useListPage(channelSpec);
  const columns = useChannelColumns();
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  const [tested, setTested] = useState<Channel | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('channels:search') },
    manyField('type', t('channels:type'), SendingType.options, (value) =>
      t(`common:type.${value}`),
    ),
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
    <CreateButton onClick={() => setEdited('new')}>{t('channels:create')}</CreateButton>
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
    <ListPage
      page={page}
      title={t('channels:title')}
      fields={fields}
      create={create}
      columns={columns}
      actions={actions}
      actionsWidth={172}
      empty={{
        icon: IconChannel,
        title: t('channels:empty.title'),
        text: t('channels:empty.text'),
      }}
    >
      {/* First, so that what it opens lies above it. */}
      <ChannelDrawer onTest={setTested} onEdit={setEdited} />
      <ChannelDialog
        opened={!!edited}
        row={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
      />
      <ChannelTestDialog row={tested} onClose={() => setTested(null)} />
      <RemoveChannel row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
