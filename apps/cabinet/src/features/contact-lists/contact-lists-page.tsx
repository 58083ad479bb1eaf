import { ContactListType, type ContactList } from '@heliograph/contract';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconContacts } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ContactListActions } from './contact-list-actions.tsx';
import { contactListSpec } from './contact-lists.api.ts';
import { useContactListColumns } from './use-contact-list-columns.tsx';

const ContactListDialog = later(
  async () => (await import('./contact-list-dialog.tsx')).ContactListDialog,
);
const ImportDialog = later(async () => (await import('./import/import-dialog.tsx')).ImportDialog);
const RemoveContactList = later(
  async () => (await import('./remove-contact-list.tsx')).RemoveContactList,
);

const rowTo = (row: ContactList) => `/contacts/${row.id}`;

export function ContactListsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(contactListSpec);
  const columns = useContactListColumns();
  const [action, setAction] = useParam('action');
  const [importInto, setImportInto] = useParam('import');
  const [edited, setEdited] = useState<ContactList | 'new' | null>(null);
  const [removing, setRemoving] = useState<ContactList | null>(null);

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
        onRemove={() => setRemoving(row)}
      />
    ),
    [setImportInto],
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
      <RemoveContactList row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
