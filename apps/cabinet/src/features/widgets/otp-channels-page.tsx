import { OtpChannelType, type OtpChannel } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconWidget } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { useRemoveChannel, otpChannelSpec } from './widgets.api.ts';

const OtpChannelDialog = later(
  async () => (await import('./otp-channel-dialog.tsx')).OtpChannelDialog,
);

const REMOVAL: Removal<OtpChannel> = {
  can: ['otp-settings.remove'],
  useChange: useRemoveChannel,
  words: (t, { name }) => ({
    question: t('widgets:channels.removeQuestion', { name }),
    action: t('widgets:remove', { name }),
    text: t('widgets:channels.removeText'),
  }),
};

export function OtpChannelsPage() {
  const { t } = useTranslation();
  const page = useListPage(otpChannelSpec);
  const columns = useChannelColumns();
  const create = useCreateButton(t('widgets:channels.create'), 'otp-settings.create');
  return (
    <ListPage
      page={page}
      title={t('widgets:channels.title')}
      create={create}
      fields={[
        { kind: 'search', label: t('widgets:search') },
        manyField('channelType', t('widgets:type'), OtpChannelType.options, (type) =>
          t(`common:type.${type}`),
        ),
      ]}
      intro={t('widgets:channels.intro')}
      columns={columns}
      removal={REMOVAL}
      empty={{
        icon: IconWidget,
        title: t('widgets:channels.empty.title'),
        text: t('widgets:channels.empty.text'),
      }}
    >
      <OtpChannelDialog />
    </ListPage>
  );
}

function useChannelColumns(): GridColumn<OtpChannel>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<OtpChannel>[] => [
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
      timeColumn('createdAt', t('widgets:created'), { width: 140, hideBelow: 'lg', card: 'note' }),
    ],
    [t],
  );
}
