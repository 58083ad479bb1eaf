import type { User } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { toListRequest } from '../../list/state/list-state.ts';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconUsers, IconLogin, IconWallet } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { mayChangeBalance, mayLoginAs, fullName } from './user-rights.ts';
import { MAX_CHANGED, userSpec, useLoginAs, type Changing } from './users.api.ts';
import { UserStateBadge } from './user-state-badge.tsx';

const BalanceDialog = later(async () => (await import('./balance-dialog.tsx')).BalanceDialog);
const ChangeAccounts = later(async () => (await import('./change-accounts.tsx')).ChangeAccounts);
const ChangeByFile = later(
  async () =>
    (await withTexts(['accountFiles', 'storage'], () => import('./change-by-file.tsx')))
      .ChangeByFile,
);
const NewAccountDialog = later(
  async () => (await import('./new-account-dialog.tsx')).NewAccountDialog,
);
const UserDrawer = later(async () => (await import('./user-drawer.tsx')).UserDrawer);

/** Teams are of their accounts. */
const HOLDERS = { isHolder: true };

export function UsersPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(userSpec, HOLDERS);
  const settings = useSettings();
  const columns = useUserColumns();
  const [isCreating, setCreating] = useState(false);
  const [changing, setChanging] = useState<User | null>(null);
  const [many, setMany] = useState<Changing | null>(null);
  const [byFile, setByFile] = useState(false);
  const formats = useFormats();
  const mayChange = can('users.configure', 'resellerUp') && !settings.session.impersonator;
  const { total } = page.list;
  const count = formats.number(Array.isArray(many) ? many.length : total);
  const fields: FilterField[] = [
    { kind: 'search', label: t('users:search') },
    {
      kind: 'one',
      name: 'isActive',
      label: t('users:state'),
      options: [
        { value: 'true', label: t('users:active') },
        { value: 'false', label: t('users:suspended') },
      ],
    },
    {
      kind: 'one',
      name: 'isClosed',
      label: t('users:closing.filter'),
      options: [{ value: 'true', label: t('users:closing.only') }],
    },
  ];
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
      header={
        mayChange && (
          <>
            <Button variant="default" onClick={() => setByFile(true)}>
              {t('users:many.byFile')}
            </Button>
            {total > 0 && total <= MAX_CHANGED && (
              <Button
                variant="default"
                onClick={() => setMany(toListRequest(page.control.state, userSpec, HOLDERS))}
              >
                {t('users:many.found')}
              </Button>
            )}
          </>
        )
      }
      bulk={
        mayChange
          ? (rows) => (
              <Button variant="default" size="xs" onClick={() => setMany(rows)}>
                {t('users:many.selected')}
              </Button>
            )
          : undefined
      }
      create={
        can('users.create', 'resellerUp') &&
        !settings.session.impersonator && (
          <CreateButton onClick={() => setCreating(true)}>{t('users:account.create')}</CreateButton>
        )
      }
      empty={{ icon: IconUsers, title: t('users:empty.title'), text: t('users:empty.text') }}
    >
      <BalanceDialog user={changing} onClose={() => setChanging(null)} />
      <UserDrawer />
      <ChangeAccounts of={many} count={count} onClose={() => setMany(null)} />
      <ChangeByFile opened={byFile} onClose={() => setByFile(false)} />
      <NewAccountDialog opened={isCreating} onClose={() => setCreating(false)} />
    </ListPage>
  );
}

interface UserActionsProps {
  user: User;
  /** Opens the page's dialog, which outlives the row. */
  onChangeBalance: () => void;
}

function UserActions({ user, onChangeBalance }: UserActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const { data: me } = useQuery(meQuery);
  const { mutate, isPending } = useLoginAs();
  const { id, username } = user;
  return (
    <>
      {can('billings.generate', 'resellerUp') && (
        <IconAction
          icon={IconWallet}
          word="balance"
          label={t('users:changeBalance', { username })}
          disabled={!mayChangeBalance(user, me, settings)}
          onClick={onChangeBalance}
        />
      )}
      {can('secret.loginAs', 'resellerUp') && mayLoginAs(user, settings) && (
        <IconAction
          icon={IconLogin}
          word="signIn"
          label={t('users:loginAs', { username })}
          disabled={isPending}
          onClick={() => mutate(id)}
        />
      )}
    </>
  );
}

function useUserColumns(): GridColumn<User>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<User>[] => [
      {
        id: 'username',
        header: t('users:username'),
        cell: (row) => row.username,
        sortable: true,
        width: 140,
        card: 'title',
      },
      {
        id: 'name',
        header: t('users:name'),
        cell: ({ data }) => fullName(data),
        isSensitive: true,
        card: 'note',
      },
      {
        id: 'email',
        header: t('users:email'),
        cell: ({ data }) => data.email ?? '',
        isSensitive: true,
        width: 190,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'phone',
        header: t('users:phone'),
        cell: ({ data }) => <span className="numeric">{data.phone}</span>,
        isSensitive: true,
        isOptional: true,
        width: 150,
      },
      {
        id: 'balance',
        header: t('users:balance'),
        cell: ({ balance, currency }) =>
          balance !== undefined && <Money value={balance} currency={currency} />,
        isSensitive: true,
        sortable: true,
        width: 130,
        align: 'end',
      },
      {
        id: 'verified',
        header: t('users:verified'),
        cell: (row) => <UserStateBadge user={row} />,
        width: 165,
        hideBelow: 'md',
        card: 'end',
      },
      timeColumn('createdAt', t('users:created'), { width: 130, hideBelow: 'lg' }),
    ],
    [t],
  );
}
