import { ContactListType, type ContactList } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconContacts, IconPlus } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
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
  const control = useListState(contactListSpec);
  const list = useList(contactListSpec, control);
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
    {
      kind: 'many',
      name: 'type',
      label: t('contactLists:type'),
      options: ContactListType.options.map((value) => ({
        value,
        label: t(`contactLists:types.${value}`),
      })),
    },
    { kind: 'owner', label: t('contactLists:owner') },
  ];
  const create = mayCreate && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setEdited('new')}
    >
      {t('contactLists:create')}
    </Button>
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
    <>
      <PageHeader title={t('contactLists:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('contactLists:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={actions}
        actionsWidth={200}
        empty={
          <Empty
            icon={IconContacts}
            title={t('contactLists:empty.title')}
            text={t('contactLists:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
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
    </>
  );
}
