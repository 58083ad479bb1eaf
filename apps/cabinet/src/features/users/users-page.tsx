import type { User } from '@heliograph/contract';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconUsers } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UserActions } from './user-actions.tsx';
import { userSpec } from './users.api.ts';
import { useUserColumns } from './use-user-columns.tsx';

const BalanceDialog = later(async () => (await import('./balance-dialog.tsx')).BalanceDialog);
const UserDrawer = later(async () => (await import('./user-drawer.tsx')).UserDrawer);

const ACTIVE = { isActive: true };

export function UsersPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(userSpec);
  const list = useList(userSpec, control, ACTIVE);
  const columns = useUserColumns();
  const rowTo = useRowLink();
  const [changing, setChanging] = useState<User | null>(null);
  const fields: FilterField[] = [{ kind: 'search', label: t('users:search') }];
  // A reseller reaches no manager.
  if (can('users.get', 'manager')) {
    fields.push({ kind: 'owner', label: t('users:manager'), name: 'ManagerId', level: 'manager' });
  }
  const actions = useCallback(
    (row: User) => <UserActions user={row} onChangeBalance={() => setChanging(row)} />,
    [],
  );
  return (
    <>
      <PageHeader title={t('users:title')} />
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('users:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={100}
        empty={
          <Empty icon={IconUsers} title={t('users:empty.title')} text={t('users:empty.text')} />
        }
      />
      <Pager list={list} control={control} />
      <BalanceDialog user={changing} onClose={() => setChanging(null)} />
      <UserDrawer />
    </>
  );
}
