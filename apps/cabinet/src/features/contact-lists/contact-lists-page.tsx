import { ContactListType, type ContactList } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconContacts, IconEdit, IconImport } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ContactTabs } from './contact-tabs.tsx';
import { ContactListBadge } from './contact-list-badge.tsx';
import { useRemoveContactList, contactListSpec } from './contact-lists.api.ts';

const ContactListDialog = later(
  async () => (await import('./contact-list-dialog.tsx')).ContactListDialog,
);
const ContactFieldsDialog = later(
  async () => (await import('./contact-fields-dialog.tsx')).ContactFieldsDialog,
);
const ImportDialog = later(async () => (await import('./import/import-dialog.tsx')).ImportDialog);

const rowTo = (row: ContactList) => `/contacts/${row.id}`;

const REMOVAL: Removal<ContactList> = {
  can: ['contactLists.remove'],
  useChange: useRemoveContactList,
  words: (t, { title, count }, formats) => ({
    question: t('contactLists:removeQuestion', { title }),
    action: t('contactLists:remove', { title }),
    text: t('contactLists:removeText', { count, number: formats.number(count) }),
  }),
};

export function ContactListsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(contactListSpec);
  const columns = useContactListColumns();
  const [action, setAction] = useParam('action');
  const [importInto, setImportInto] = useParam('import');
  const [isNaming, setNaming] = useState(false);
  const [edited, setEdited] = useState<ContactList | 'new' | null>(null);

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
    <>
      <CreateButton onClick={() => setEdited('new')}>{t('contactLists:create')}</CreateButton>
      {can('contactLists.update') && (
        <Button
          variant="default"
          leftSection={<IconEdit size={18} aria-hidden />}
          onClick={() => setNaming(true)}
        >
          {t('contactLists:fields.button')}
        </Button>
      )}
    </>
  );
  const actions = useCallback(
    (row: ContactList) => (
      <ContactListActions
        list={row}
        onImport={() => setImportInto(row.id)}
        onEdit={() => setEdited(row)}
      />
    ),
    [setImportInto],
  );
  return (
    <ListPage
      page={page}
      title={t('contactLists:title')}
      intro={<ContactTabs />}
      fields={fields}
      create={create}
      rowTo={rowTo}
      columns={columns}
      removal={REMOVAL}
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
      <ContactFieldsDialog opened={isNaming} onClose={() => setNaming(false)} />
      <ImportDialog
        listId={can('contacts.create') ? importInto : null}
        onClose={() => setImportInto(null)}
      />
    </ListPage>
  );
}

function useContactListColumns(): GridColumn<ContactList>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<ContactList>[] => [
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
      timeColumn('updatedAt', t('contactLists:updated'), { width: 160, hideBelow: 'md' }),
      timeColumn('createdAt', t('contactLists:created'), { width: 160, isOptional: true }),
    ],
    [t, formats],
  );
}

interface ContactListActionsProps {
  list: ContactList;
  onImport: () => void;
  onEdit: () => void;
}

function ContactListActions({ list: { title }, onImport, onEdit }: ContactListActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <>
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
    </>
  );
}
