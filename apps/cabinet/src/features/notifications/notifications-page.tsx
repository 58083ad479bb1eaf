import { NotificationType, type Notification } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { isFirstUse } from '../../list/state/list-state.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRow } from '../../list/state/use-row.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconBell, IconChecks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { notificationSpec, useMarkAllRead, useMarkRead, WEB } from './notifications.api.ts';
import { useNotificationColumns } from './use-notification-columns.tsx';
import { useReadVisible } from './use-read-visible.ts';

const NotificationDialog = later(
  async () => (await import('./notification-dialog.tsx')).NotificationDialog,
);

const READ_TOAST_MS = 2000;

export function NotificationsPage() {
  const { t } = useTranslation();
  const control = useListState(notificationSpec);
  const list = useList(notificationSpec, control, WEB);
  const columns = useNotificationColumns();
  const rowTo = useRowLink();
  const [id, setId] = useParam('id');
  const opened = useRow(notificationSpec, list, id, WEB);
  const all = useMarkAllRead();
  useReadVisible(list.rows);
  const fields: FilterField[] = [
    {
      kind: 'many',
      name: 'type',
      label: t('notifications:type'),
      options: NotificationType.options.map((value) => ({
        value,
        label: t(`notifications:types.${value}.title`),
      })),
    },
    {
      kind: 'one',
      name: 'isRead',
      label: t('notifications:state'),
      options: [
        { value: 'false', label: t('notifications:unread') },
        { value: 'true', label: t('notifications:read') },
      ],
    },
    { kind: 'period', label: t('notifications:period') },
  ];
  const actions = useCallback((row: Notification) => <ReadAction row={row} />, []);
  return (
    <>
      <PageHeader title={t('notifications:title')}>
        {!isFirstUse(list, control.state) && (
          <Button
            variant="default"
            leftSection={<IconChecks size={18} aria-hidden />}
            loading={all.isPending}
            onClick={() => all.mutate()}
          >
            {t('notifications:readAll')}
          </Button>
        )}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('notifications:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={64}
        empty={
          <Empty
            icon={IconBell}
            title={t('notifications:empty.title')}
            text={t('notifications:empty.text')}
          />
        }
      />
      <Pager list={list} control={control} />
      <NotificationDialog notification={opened} onClose={() => setId(null)} />
    </>
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
      label={t('notifications:markRead')}
      disabled={row.isRead || isPending}
      onClick={() => mutate(row.id, { onSuccess })}
    />
  );
}
