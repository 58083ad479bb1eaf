import { SendingType, type Channel } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconChannel, IconEdit, IconPower, IconSend } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { ChannelBadge } from './channel-badge.tsx';
import {
  useRemoveChannel,
  channelSpec,
  useFreshChannels,
  useUpdateChannel,
} from './channels.api.ts';

const ChannelDialog = later(async () => (await import('./channel-dialog.tsx')).ChannelDialog);
const ChannelDrawer = later(async () => (await import('./channel-drawer.tsx')).ChannelDrawer);
const ChannelTestDialog = later(
  async () => (await import('./channel-test-dialog.tsx')).ChannelTestDialog,
);

const REMOVAL: Removal<Channel> = {
  can: ['channels.remove'],
  useChange: useRemoveChannel,
  words: (t, { name }) => ({
    question: t('channels:removeQuestion', { name }),
    action: t('channels:remove', { name }),
    text: t('channels:removeText'),
  }),
  button: (t, { name, isActive }) => ({
    label: t(isActive ? 'channels:removeOff' : 'channels:remove', { name }),
    disabled: isActive,
  }),
};

export function ChannelsPage() {
  const { t } = useTranslation();
  const can = useCan();
  useFreshChannels();
  const page = useListPage(channelSpec);
  const columns = useChannelColumns();
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  const [tested, setTested] = useState<Channel | null>(null);
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
      <ChannelActions channel={row} onTest={() => setTested(row)} onEdit={() => setEdited(row)} />
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
      removal={REMOVAL}
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
    </ListPage>
  );
}

interface ChannelActionsProps {
  channel: Channel;
  onTest: () => void;
  onEdit: () => void;
}

function ChannelActions({ channel, onTest, onEdit }: ChannelActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { name, isActive } = channel;
  const { mutate, isPending } = useUpdateChannel(name, false);
  if (!can('channels.update')) return null;
  return (
    <>
      <IconAction
        icon={IconSend}
        word="test"
        label={t('channels:testOf', { name })}
        onClick={onTest}
      />
      <IconAction
        icon={IconPower}
        word={isActive ? 'turnOff' : 'turnOn'}
        label={t(isActive ? 'channels:switchOff' : 'channels:switchOn', { name })}
        disabled={isPending}
        onClick={() => mutate({ isActive: !isActive })}
      />
      <IconAction
        icon={IconEdit}
        word="edit"
        label={t('channels:edit', { name })}
        shortcut="e"
        onClick={onEdit}
      />
    </>
  );
}

function useChannelColumns(): GridColumn<Channel>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('channels:name'),
        cell: (row) => row.name,
        sortable: true,
        width: 150,
        card: 'title',
      },
      {
        id: 'state',
        header: t('channels:state'),
        cell: ({ state }) => (
          <>
            <ChannelBadge status={state.status} />
            {state.status === 'failing' && (
              <Text size="xs" c="dimmed" truncate title={state.error ?? undefined}>
                {state.error}
              </Text>
            )}
          </>
        ),
        width: 230,
        card: 'end',
      },
      {
        id: 'types',
        header: t('channels:types'),
        cell: ({ types }) => {
          const names = types.map((type) => t(`common:type.${type}`)).join(', ');
          return <span title={names}>{names}</span>;
        },
        card: 'wide',
      },
      {
        id: 'priority',
        header: t('channels:priority'),
        cell: (row) => <span className="numeric">{formats.number(row.priority)}</span>,
        sortable: true,
        align: 'end',
        width: 110,
        hideBelow: 'md',
      },
      {
        id: 'submitted',
        header: t('channels:submitted'),
        cell: ({ state }) => <span className="numeric">{formats.number(state.submitted)}</span>,
        align: 'end',
        width: 110,
        hideBelow: 'lg',
      },
      {
        id: 'failingSince',
        header: t('channels:failingSince'),
        cell: ({ state }) => state.failingSince && <Time at={state.failingSince} />,
        width: 150,
        hideBelow: 'xl',
      },
      {
        id: 'reportedAt',
        header: t('channels:reportedAt'),
        cell: ({ state }) => state.reportedAt && <Time at={state.reportedAt} />,
        width: 150,
        hideBelow: 'xl',
      },
      {
        id: 'driver',
        header: t('channels:driver'),
        cell: (row) => row.driver,
        width: 120,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, formats],
  );
}
