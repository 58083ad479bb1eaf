import { ContactListType, type ContactList } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useCallback, useEffect, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useRemoval } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconContacts, IconEdit, IconImport, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { ContactListBadge } from './contact-list-badge.tsx';
import { useRemoveContactList, contactListSpec } from './contact-lists.api.ts';

const ContactListDialog = later(
  async () => (await import('./contact-list-dialog.tsx')).ContactListDialog,
);
const ImportDialog = later(async () => (await import('./import/import-dialog.tsx')).ImportDialog);

const rowTo = (row: ContactList) => `/contacts/${row.id}`;

export function ContactListsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(contactListSpec);
  const columns = useContactListColumns();
  const [action, setAction] = useParam('action');
  const [importInto, setImportInto] = useParam('import');
  const [edited, setEdited] = useState<ContactList | 'new' | null>(null);
  const formats = useFormats();
  const [askRemoval, removal] = useRemoval<ContactList>(
    useRemoveContactList(),
    ({ title, count }) => ({
      question: t('contactLists:removeQuestion', { title }),
      action: t('contactLists:remove', { title }),
      text: t('contactLists:removeText', { count, number: formats.number(count) }),
    }),
  );

  // A link that opens the dialog is spent by opening it: going back does not open it again.
  const mayCreate = can('contactLists.create');
  useEffect(() => {
    if (action !== 'create') return;
    if (mayCreate) setEdited('new');
    setAction(null, { replace: true });
  }, [action, mayCreate, setAction]);

  const fields: FilterField[] = [
    { kind: 'search', label: t('contactLists:search') },
    manyField('type', t('contactLists:type'), ContactListType.options, (value) =>
      t(`contactLists:types.${value}`),
    ),
    { kind: 'owner', label: t('contactLists:owner') },
  ];
  const create = mayCreate && (
    <CreateButton onClick={() => setEdited('new')}>{t('contactLists:create')}</CreateButton>
  );
  const actions = useCallback(
    (row: ContactList) => (
      <ContactListActions
        list={row}
        onImport={() => setImportInto(row.id)}
        onEdit={() => setEdited(row)}
        onRemove={() => askRemoval(row)}
      />
    ),
    [setImportInto, askRemoval],
  );
  return (
    <ListPage
      page={page}
      title={t('contactLists:title')}
      fields={fields}
      create={create}
      rowTo={rowTo}
      columns={columns}
      actions={actions}
      actionsWidth={200}
      empty={{
        icon: IconContacts,
        title: t('contactLists:empty.title'),
        text: t('contactLists:empty.text'),
      }}
    >
      <ContactListDialog
        opened={!!edited}
        list={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
      />
      <ImportDialog
        listId={can('contacts.create') ? importInto : null}
        onClose={() => setImportInto(null)}
      />
      {removal}
    </ListPage>
  );
}

function useContactListColumns(): GridColumn<ContactList>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('contactLists:name'),
        cell: (row) => <span title={row.title}>{row.title}</span>,
        sortable: true,
        card: 'title',
      },
      {
        id: 'type',
        header: t('contactLists:type'),
        cell: (row) => <ContactListBadge type={row.type} />,
        width: 180,
        card: 'end',
      },
      {
        id: 'count',
        header: t('contactLists:count'),
        cell: (row) => <span className="numeric">{formats.number(row.count)}</span>,
        width: 120,
        align: 'end',
      },
      {
        id: 'updatedAt',
        header: t('contactLists:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 160,
        hideBelow: 'md',
      },
      {
        id: 'createdAt',
        header: t('contactLists:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        isOptional: true,
      },
    ],
    [t, formats],
  );
}

interface ContactListActionsProps {
  list: ContactList;
  onImport: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function ContactListActions({
  list: { title },
  onImport,
  onEdit,
  onRemove,
}: ContactListActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {can('contacts.create') && (
        <Button
          variant="subtle"
          size="compact-sm"
          fw={500}
          leftSection={<IconImport size={18} aria-hidden />}
          aria-label={t('contactLists:importInto', { title })}
          onClick={onImport}
        >
          {t('contactLists:import')}
        </Button>
      )}
      {can('contactLists.update') && (
        <IconAction
          icon={IconEdit}
          word="edit"
          label={t('contactLists:edit', { title })}
          shortcut="e"
          onClick={onEdit}
        />
      )}
      {can('contactLists.remove') && (
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t('contactLists:remove', { title })}
          onClick={onRemove}
        />
      )}
    </Group>
  );
}
