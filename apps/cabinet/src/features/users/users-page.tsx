import type { User } from '@heliograph/contract';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconUsers } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { UserActions } from './user-actions.tsx';
import { userSpec } from './users.api.ts';
import { useUserColumns } from './use-user-columns.tsx';

const BalanceDialog = later(async () => (await import('./balance-dialog.tsx')).BalanceDialog);
const UserDrawer = later(async () => (await import('./user-drawer.tsx')).UserDrawer);

const ACTIVE = { isActive: true };

export function UsersPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(userSpec, ACTIVE);
  const columns = useUserColumns();
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
    <ListPage
      page={page}
      title={t('users:title')}
      fields={fields}
      columns={columns}
      actions={actions}
      actionsWidth={100}
      empty={{ icon: IconUsers, title: t('users:empty.title'), text: t('users:empty.text') }}
    >
      <BalanceDialog user={changing} onClose={() => setChanging(null)} />
      <UserDrawer />
    </ListPage>
  );
}
