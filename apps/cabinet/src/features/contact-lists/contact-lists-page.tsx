import { ContactListType, type ContactList } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { DataGrid } from '../../list/data-grid.tsx';
import { FilterBar } from '../../list/filter-bar.tsx';
import type { FilterField } from '../../list/filter-field.ts';
import { Pager } from '../../list/pager.tsx';
import { useListState } from '../../list/use-list-state.ts';
import { useList } from '../../list/use-list.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconContacts, IconPlus } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ContactListActions } from './contact-list-actions.tsx';
import { contactListSpec } from './contact-lists.api.ts';
import { CreateContactList } from './create-contact-list.tsx';
import { ImportContacts } from './import-contacts.tsx';
import { RemoveContactList } from './remove-contact-list.tsx';
import { useContactListColumns } from './use-contact-list-columns.tsx';
import { useDialogs } from './use-dialogs.ts';

export function ContactListsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(contactListSpec);
  const list = useList(contactListSpec, control);
  const columns = useContactListColumns();
  const dialogs = useDialogs();
  const [removing, setRemoving] = useState<ContactList | null>(null);
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
  ];
  const create = can('contactLists.create') && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={dialogs.openCreate}>
      {t('contactLists:create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('contactLists:title')}>{create}</PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('contactLists:title')}
        columns={columns}
        list={list}
        control={control}
        actions={(row) => (
          <ContactListActions
            list={row}
            onImport={() => dialogs.openImport(row.id)}
            onRemove={() => setRemoving(row)}
          />
        )}
        actionsWidth={170}
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
      <CreateContactList opened={dialogs.creating} onClose={dialogs.closeCreate} />
      <ImportContacts listId={dialogs.importInto} onClose={dialogs.closeImport} />
      <RemoveContactList list={removing} onClose={() => setRemoving(null)} />
    </>
  );
}
