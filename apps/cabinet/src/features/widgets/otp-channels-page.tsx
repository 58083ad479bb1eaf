import { OtpChannelType, type OtpChannel } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTrash, IconWidget } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { otpChannelSpec } from './widgets.api.ts';

const CreateChannel = later(
  async () => (await import('./otp-channel-dialog.tsx')).CreateChannelDialog,
);
const EditChannel = later(async () => (await import('./otp-channel-dialog.tsx')).EditChannelDialog);
const RemoveChannel = later(async () => (await import('./remove-channel.tsx')).RemoveChannel);

export function OtpChannelsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(otpChannelSpec);
  const columns = useChannelColumns();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<OtpChannel | null>(null);
  const mayRemove = can('otp-settings.remove');
  const create = can('otp-settings.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('widgets:channels.create')}</CreateButton>
  );
  const actions = useCallback(
    (row: OtpChannel) => (
      <RowActions>
        {mayRemove && (
          <IconAction
            icon={IconTrash}
            label={t('widgets:remove', { name: row.name })}
            onClick={() => setRemoving(row)}
          />
        )}
      </RowActions>
    ),
    [t, mayRemove],
  );
  return (
    <ListPage
      page={page}
      title={t('widgets:channels.title')}
      fields={[
        { kind: 'search', label: t('widgets:search') },
        manyField('channelType', t('widgets:type'), OtpChannelType.options, (type) =>
          t(`common:type.${type}`),
        ),
      ]}
      create={create}
      intro={
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {t('widgets:channels.intro')}
        </Text>
      }
      columns={columns}
      actions={actions}
      actionsWidth={70}
      empty={{
        icon: IconWidget,
        title: t('widgets:channels.empty.title'),
        text: t('widgets:channels.empty.text'),
      }}
    >
      <CreateChannel />
      <EditChannel />
      <RemoveChannel row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}

function useChannelColumns(): GridColumn<OtpChannel>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('widgets:name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        id: 'channelType',
        header: t('widgets:type'),
        cell: (row) => t(`common:type.${row.channelType}`),
        width: 170,
        card: 'end',
      },
      {
        id: 'code',
        header: t('widgets:channels.code'),
        cell: ({ channelType, additionalSettings: { code } }) =>
          channelType === 'sim_push'
            ? t('widgets:channels.codeless')
            : t('widgets:channels.digits', { count: code.length }),
        width: 160,
        card: 'note',
      },
      {
        id: 'lifetime',
        header: t('widgets:channels.lifetime'),
        cell: (row) => t('widgets:channels.seconds', { count: row.additionalSettings.lifetime }),
        width: 160,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('widgets:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 140,
        hideBelow: 'lg',
        card: 'note',
      },
    ],
    [t],
  );
}
