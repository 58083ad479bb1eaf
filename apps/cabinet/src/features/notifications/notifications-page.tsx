import { NotificationType } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/data-grid.tsx';
import { FilterBar } from '../../list/filter-bar.tsx';
import type { FilterField } from '../../list/filter-field.ts';
import { Pager } from '../../list/pager.tsx';
import { useListState } from '../../list/use-list-state.ts';
import { useList } from '../../list/use-list.ts';
import { useRowLink } from '../../list/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAct } from '../../ui/icon-act.tsx';
import { IconBell, IconChecks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { markRead, notificationSpec, useMarkAllRead, WEB } from './notifications.api.ts';
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
  const all = useMarkAllRead();
  useReadVisible(list.rows);
  const read = async (rowId: string) => {
    try {
      await markRead(rowId);
      showSuccess(t('notifications:readDone'), undefined, READ_TOAST_MS);
    } catch (error) {
      showError(error);
    }
  };
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
    { kind: 'period', label: t('notifications:period') },
  ];
  return (
    <>
      <PageHeader title={t('notifications:title')}>
        <Button
          variant="default"
          leftSection={<IconChecks size={18} aria-hidden />}
          loading={all.isPending}
          onClick={() => all.mutate()}
        >
          {t('notifications:readAll')}
        </Button>
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('notifications:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={(row) =>
          !row.isRead && (
            <IconAct
              icon={IconChecks}
              label={t('notifications:markRead')}
              onClick={() => void read(row.id)}
            />
          )
        }
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
      <NotificationDialog
        notification={list.rows.find((row) => row.id === id)}
        onClose={() => setId(null)}
      />
    </>
  );
}
