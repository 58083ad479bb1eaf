import { Moderation, SendernameType, type Sendername } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconSendername } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { SendernameDialog } from './sendername-dialog-later.ts';
import { useRemoveSendername, sendernameSpec } from './sendernames.api.ts';

const SendernameDrawer = later(
  async () => (await import('./sendername-drawer.tsx')).SendernameDrawer,
);

const REMOVAL: Removal<Sendername> = {
  can: ['sendernames.remove'],
  useChange: useRemoveSendername,
  words: (t, { name }) => ({
    question: t('sendernames:removeQuestion', { name }),
    action: t('sendernames:remove', { name }),
    text: t('sendernames:removeText'),
  }),
};

export function SendernamesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(sendernameSpec);
  const columns = useSendernameColumns();
  const [creating, setCreating] = useParam('create');
  const [editing, setEditing] = useState<Sendername | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('sendernames:search') },
    manyField('type', t('sendernames:type'), SendernameType.options, (value) =>
      t(`common:type.${value}`),
    ),
    manyField('moderation', t('sendernames:state'), Moderation.options, (value) =>
      t(`sendernames:moderation.${value}`),
    ),
    { kind: 'owner', label: t('sendernames:owner') },
  ];
  const create = can('sendernames.create') && (
    <CreateButton onClick={() => setCreating('sms')}>{t('sendernames:create')}</CreateButton>
  );
  const actions = useCallback(
    (row: Sendername) => (
      <>
        {can('sendernames.update') && (
          <IconAction
            icon={IconEdit}
            word="edit"
            label={t('sendernames:edit', { name: row.name })}
            shortcut="e"
            onClick={() => setEditing(row)}
          />
        )}
      </>
    ),
    [can, t],
  );
  return (
    <ListPage
      page={page}
      title={t('sendernames:title')}
      fields={fields}
      create={create}
      header={
        can('sendernames.moderate', 'resellerUp') && (
          <Button variant="default" component={Link} to="/settings/sendernames/queue">
            {t('sendernames:queue.open')}
          </Button>
        )
      }
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={100}
      empty={{
        icon: IconSendername,
        title: t('sendernames:empty.title'),
        text: t('sendernames:empty.text'),
      }}
    >
      <SendernameDialog
        opened={creating !== null && can('sendernames.create')}
        row={null}
        type={creating ?? undefined}
        onClose={() => setCreating(null, { replace: true })}
      />
      <SendernameDialog opened={!!editing} row={editing} onClose={() => setEditing(null)} />
      <SendernameDrawer />
    </ListPage>
  );
}

function useSendernameColumns(): GridColumn<Sendername>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Sendername>();
  return useMemo((): GridColumn<Sendername>[] => {
    const columns: GridColumn<Sendername>[] = [
      {
        id: 'name',
        header: t('sendernames:name'),
        cell: (row) => row.name,
        sortable: true,
        width: 160,
        card: 'title',
      },
      {
        id: 'type',
        header: t('sendernames:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 130,
        card: 'note',
      },
      {
        id: 'moderation',
        header: t('sendernames:state'),
        cell: ({ moderation }) => (
          <ModerationBadge state={moderation} label={t(`sendernames:moderation.${moderation}`)} />
        ),
        width: 160,
        card: 'end',
      },
      {
        id: 'comment',
        header: t('sendernames:comment'),
        cell: (row) => <span title={row.meta.comment}>{row.meta.comment}</span>,
        hideBelow: 'md',
        isSensitive: true,
        card: 'wide',
      },
      {
        id: 'isActive',
        header: t('sendernames:inUse'),
        cell: (row) => t(row.isActive ? 'sendernames:offered' : 'sendernames:inactive'),
        width: 125,
        hideBelow: 'xl',
        card: 'note',
      },
      timeColumn('createdAt', t('sendernames:created'), {
        width: 170,
        hideBelow: 'lg',
        card: 'note',
      }),
    ];
    columns.splice(3, 0, ...owner);
    return columns;
  }, [t, owner]);
}
