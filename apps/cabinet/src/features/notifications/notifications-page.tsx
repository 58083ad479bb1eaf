import { NotificationType, type Notification, notifications } from '@heliograph/contract';
import { NOTIFICATION_CHANNELS } from '@heliograph/domain';
import { Button, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { listSpec, manyOf, oneOf } from '../../list/state/list-spec.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRow } from '../../list/state/use-row.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconBell, IconChecks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ChannelState } from './channel-state.tsx';
import { colorOf, summaryOf, wordsOf } from './notification-words.ts';
import { useMarkAllRead, useMarkRead, WEB } from './notifications.api.ts';
import { ReadMark } from './read-mark.tsx';
import { useReadVisible } from './use-read-visible.ts';

const NotificationDialog = later(
  async () => (await import('./notification-dialog.tsx')).NotificationDialog,
);

const READ_TOAST_MS = 2000;

export function NotificationsPage() {
  const { t } = useTranslation();
  const control = useListState(notificationSpec);
  // Other channels repeat what the cabinet shows, so they are shown on request only.
  const fixed = control.state.filters.channel ? undefined : WEB;
  const page = { control, list: useList(notificationSpec, control, fixed) };
  const columns = useNotificationColumns();
  const [id, setId] = useParam('id');
  const opened = useRow(notificationSpec, page.list, id);
  const all = useMarkAllRead();
  useReadVisible(page.list.rows);
  const fields: FilterField[] = [
    { kind: 'search', label: t('notifications:search') },
    manyField('type', t('notifications:type'), NotificationType.options, (value) =>
      t(`notifications:types.${value}.title`),
    ),
    {
      kind: 'one',
      name: 'isRead',
      label: t('notifications:state'),
      options: [
        { value: 'false', label: t('notifications:unread') },
        { value: 'true', label: t('notifications:read') },
      ],
    },
    {
      kind: 'one',
      name: 'channel',
      label: t('notifications:channel'),
      options: NOTIFICATION_CHANNELS.map((value) => ({
        value,
        label: t(`notifications:channels.${value}`),
      })),
    },
    { kind: 'period', label: t('notifications:period') },
  ];
  const actions = useCallback((row: Notification) => <ReadAction row={row} />, []);
  return (
    <ListPage
      page={page}
      title={t('notifications:title')}
      fields={fields}
      header={
        !isFirstUse(page.list, page.control.state) && (
          <Button
            variant="default"
            leftSection={<IconChecks size={18} aria-hidden />}
            loading={all.isPending}
            onClick={() => all.mutate()}
          >
            {t('notifications:readAll')}
          </Button>
        )
      }
      columns={columns}
      actions={actions}
      actionsWidth={64}
      empty={{
        icon: IconBell,
        title: t('notifications:empty.title'),
        text: t('notifications:empty.text'),
      }}
    >
      <NotificationDialog notification={opened} onClose={() => setId(null)} />
    </ListPage>
  );
}

/** Rests once its notification is read, and while the call runs. That it failed is no news: it is unread still. */
function ReadAction({ row }: { row: Notification }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMarkRead();
  const onSuccess = () => showSuccess(t('notifications:readDone'), undefined, READ_TOAST_MS);
  return (
    <IconAction
      icon={IconChecks}
      word="markRead"
      label={t('notifications:markRead')}
      disabled={row.isRead || isPending}
      onClick={() => mutate(row.id, { onSuccess })}
    />
  );
}

const notificationSpec = listSpec(notifications.find, {
  filters: {
    type: manyOf(NotificationType.options),
    isRead: oneOf(['true', 'false']),
    channel: oneOf(NOTIFICATION_CHANNELS),
  },
  order: ['createdAt'],
  period: 'createdAt',
  search: true,
});

function useNotificationColumns(): GridColumn<Notification>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<Notification>[] => [
      {
        id: 'title',
        header: t('notifications:what'),
        cell: (row) => (
          <Text span inherit fw={row.isRead ? 500 : 700} c={`var(--app-${colorOf(row)}-text)`}>
            {wordsOf(t, formats, row).title}
          </Text>
        ),
        width: 240,
        card: 'title',
      },
      {
        id: 'text',
        header: t('notifications:text'),
        cell: (row) => summaryOf(wordsOf(t, formats, row)),
        isSensitive: true,
        card: 'body',
      },
      {
        id: 'channel',
        header: t('notifications:channel'),
        cell: (row) => <ChannelState row={row} />,
        width: 130,
        hideBelow: 'lg',
      },
      timeColumn('createdAt', t('notifications:time'), { width: 160, card: 'note' }),
      {
        id: 'isRead',
        header: t('notifications:state'),
        cell: (row) => <ReadMark isRead={row.isRead} />,
        width: 110,
        card: 'end',
      },
    ],
    [t, formats],
  );
}
