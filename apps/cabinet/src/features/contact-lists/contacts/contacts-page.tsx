import type { Contact } from '@heliograph/contract';
import { Button, Group, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useCan, useSettings } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { useParam } from '../../../core/use-param.ts';
import { DataGrid } from '../../../list/grid/data-grid.tsx';
import { CreateButton } from '../../../list/create-button.tsx';
import { FilterBar } from '../../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../../list/filters/filter-field.ts';
import { isFiltered, isFirstUse } from '../../../list/state/list-state.ts';
import { ListTotal } from '../../../list/grid/list-total.tsx';
import { Pager } from '../../../list/grid/pager.tsx';
import { useListState } from '../../../list/state/use-list-state.ts';
import { useList } from '../../../list/state/use-list.ts';
import { Empty } from '../../../ui/empty.tsx';
import { ErrorCard } from '../../../ui/error-card.tsx';
import { IconAction } from '../../../ui/icon-action.tsx';
import {
  IconContacts,
  IconEdit,
  IconImport,
  IconMoveTo,
  IconSearch,
  IconSendername,
  IconTrash,
} from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { ContactListBadge } from '../contact-list-badge.tsx';
import { contactListQuery } from '../contact-lists.api.ts';
import { soughtPhone } from './contact-values.ts';
import { contactSpec } from './contacts.api.ts';
import type { SegmentDraft } from '../segments/segment-dialog.tsx';
import { ExportContacts } from './export-contacts.tsx';
import { useContactColumns } from './use-contact-columns.tsx';

const ContactDialog = later(async () => (await import('./contact-dialog.tsx')).ContactDialog);
const ErasePerson = later(async () => (await import('./erase-person.tsx')).ErasePerson);
const ImportDialog = later(async () => (await import('../import/import-dialog.tsx')).ImportDialog);
const SegmentDialog = later(
  async () => (await import('../segments/segment-dialog.tsx')).SegmentDialog,
);
const RemoveFound = later(async () => (await import('./remove-found.tsx')).RemoveFound);
const MoveContacts = later(async () => (await import('./move-contacts.tsx')).MoveContacts);
const TagContacts = later(async () => (await import('./tag-contacts.tsx')).TagContacts);
const RemoveContacts = later(async () => (await import('./remove-contacts.tsx')).RemoveContacts);

const nameOf = (row: Contact) => row.phone ?? row.email;

/** The contacts of one list. */
export function ContactsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { session } = useSettings();
  const formats = useFormats();
  const { id: listId = '' } = useParams();
  const control = useListState(contactSpec);
  const fixed = useMemo(() => ({ ListId: listId }), [listId]);
  const list = useList(contactSpec, control, fixed);
  const { data: owner, error, refetch } = useQuery(contactListQuery(listId));
  const [isEdited, setIsEdited] = useState(false);
  const columns = useContactColumns(isEdited, owner?.OwnerId);
  const [importInto, setImportInto] = useParam('import');
  const [edited, setEdited] = useState<Contact | 'new' | null>(null);
  const [erased, setErased] = useState<Contact | null>(null);
  const [tagging, setTagging] = useState<Contact[] | 'found' | null>(null);
  const [moving, setMoving] = useState<{ rows: Contact[]; clear: () => void } | 'found' | null>(
    null,
  );
  const [draft, setDraft] = useState<SegmentDraft | null>(null);
  const [removing, setRemoving] = useState<Contact[]>([]);
  const [isRemovingFound, setRemovingFound] = useState(false);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const fields: FilterField[] = [
    { kind: 'search', label: t('contactLists:contact.search') },
    { kind: 'text', name: 'tag', label: t('contactLists:contact.tag') },
  ];
  const where = useMemo(() => {
    const { search, filters } = control.state;
    const tag = filters.tag?.[0];
    return { ListId: listId, ...(search && { search }), ...(tag && { tag }) };
  }, [control.state, listId]);
  const chosenOf = (rows: Contact[] | 'found' | null | undefined) =>
    rows === 'found' ? { where } : rows ? { ids: rows.map(({ id }) => id) } : null;
  const countOf = (rows: Contact[] | 'found' | null | undefined) =>
    Array.isArray(rows) ? formats.number(rows.length) : foundCount;
  const moved = moving === 'found' ? moving : moving?.rows;
  // Segments are those of the own account, and of lists that are sent to.
  const maySave =
    can('contactLists.create') && owner?.OwnerId === session.OwnerId && owner.type === 'regular';
  const mayUpdate = can('contacts.update');
  const mayRemove = can('contacts.remove');
  const mayCopy = can('contacts.create');
  const add = can('contacts.create') && (
    <>
      <CreateButton onClick={() => setEdited('new')}>
        {t('contactLists:contact.create')}
      </CreateButton>
      <Button
        variant="default"
        leftSection={<IconImport size={18} aria-hidden />}
        onClick={() => setImportInto(listId)}
      >
        {t('contactLists:import')}
      </Button>
    </>
  );
  const foundCount = list.totalIsCapped
    ? t('list:more', { count: list.total, total: formats.number(list.total) })
    : formats.number(list.total);
  const phone = soughtPhone(control.state.search);
  const notFound = (
    <Empty icon={IconSearch} title={t('contactLists:contact.notFound', { phone })}>
      <Button onClick={() => setEdited('new')}>
        {t('contactLists:contact.createWith', { phone })}
      </Button>
      <Button variant="default" onClick={control.clear}>
        {t('list:clearFilters')}
      </Button>
    </Empty>
  );
  const actions = useCallback(
    (row: Contact) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {mayUpdate && (
          <IconAction
            icon={IconEdit}
            word="edit"
            label={t('contactLists:contact.editOne', { contact: nameOf(row) })}
            shortcut="e"
            onClick={() => setEdited(row)}
          />
        )}
        {mayRemove && (
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('contactLists:contact.remove', { contact: nameOf(row) })}
            onClick={() => setRemoving([row])}
          />
        )}
      </Group>
    ),
    [mayRemove, mayUpdate, t],
  );
  return (
    <>
      <PageHeader
        title={owner?.title ?? t('contactLists:contact.title')}
        back={{ to: '/contacts', label: t('contactLists:contact.back') }}
        mark={
          <>
            {owner && <ContactListBadge type={owner.type} />}
            <ListTotal list={list} control={control} />
          </>
        }
      >
        {!isFirstUse(list, control.state) && add}
        {list.rows.length > 0 && owner && (
          <ExportContacts where={where} OwnerId={owner.OwnerId} title={owner.title} />
        )}
      </PageHeader>
      {error && (
        <ErrorCard
          title={t('contactLists:contact.listFailed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!error && (
        <>
          <DataGrid
            caption={t('contactLists:contact.title')}
            columns={columns}
            list={list}
            control={control}
            filters={
              <FilterBar fields={fields} control={control}>
                <Group gap="md">
                  {maySave && isFiltered(control.state) && (
                    <Button
                      variant="subtle"
                      size="xs"
                      onClick={() => setDraft({ where, activity: [] })}
                    >
                      {t('contactLists:segments.save')}
                    </Button>
                  )}
                  {mayRemove && list.rows.length > 0 && (
                    <Button
                      variant="subtle"
                      color="red"
                      size="xs"
                      leftSection={<IconTrash size={16} aria-hidden />}
                      onClick={() => setRemovingFound(true)}
                    >
                      {t('contactLists:contact.removeFound')}
                    </Button>
                  )}
                  {mayCopy && list.rows.length > 0 && (
                    <Button
                      variant="subtle"
                      size="xs"
                      leftSection={<IconMoveTo size={16} aria-hidden />}
                      onClick={() => setMoving('found')}
                    >
                      {t('contactLists:contact.moveFound')}
                    </Button>
                  )}
                  {mayUpdate && list.rows.length > 0 && (
                    <>
                      <Button
                        variant="subtle"
                        size="xs"
                        leftSection={<IconSendername size={16} aria-hidden />}
                        onClick={() => setTagging('found')}
                      >
                        {t('contactLists:contact.tagFound')}
                      </Button>
                      <Switch
                        label={t('contactLists:contact.edit')}
                        checked={isEdited}
                        onChange={(event) => setIsEdited(event.currentTarget.checked)}
                      />
                    </>
                  )}
                </Group>
              </FilterBar>
            }
            actions={actions}
            actionsWidth={100}
            removed={gone}
            bulk={
              mayRemove || mayUpdate || mayCopy
                ? (rows, clear) => (
                    <>
                      {mayCopy && (
                        <Button
                          variant="default"
                          size="xs"
                          leftSection={<IconMoveTo size={16} aria-hidden />}
                          onClick={() => setMoving({ rows, clear })}
                        >
                          {t('contactLists:contact.moveSelected')}
                        </Button>
                      )}
                      {mayUpdate && (
                        <Button
                          variant="default"
                          size="xs"
                          leftSection={<IconSendername size={16} aria-hidden />}
                          onClick={() => setTagging(rows)}
                        >
                          {t('contactLists:contact.tagSelected')}
                        </Button>
                      )}
                      {mayRemove && (
                        <Button
                          color="red.9"
                          size="xs"
                          leftSection={<IconTrash size={16} aria-hidden />}
                          onClick={() => setRemoving(rows)}
                        >
                          {t('contactLists:contact.removeSelected')}
                        </Button>
                      )}
                    </>
                  )
                : undefined
            }
            noResults={phone && can('contacts.create') ? notFound : undefined}
            empty={
              <Empty
                icon={IconContacts}
                title={t('contactLists:contact.emptyTitle')}
                text={t('contactLists:contact.emptyText')}
              >
                {add}
              </Empty>
            }
          />
          <Pager list={list} control={control} />
        </>
      )}
      <ContactDialog
        listId={listId}
        opened={!!edited}
        contact={edited === 'new' ? null : edited}
        phone={list.rows.length ? undefined : phone}
        onErase={
          can('persons.erase')
            ? () => {
                setErased(edited === 'new' ? null : edited);
                setEdited(null);
              }
            : undefined
        }
        onClose={() => setEdited(null)}
      />
      <ErasePerson contact={erased} OwnerId={owner?.OwnerId} onClose={() => setErased(null)} />
      <ImportDialog
        listId={can('contacts.create') ? importInto : null}
        onClose={() => setImportInto(null)}
      />
      <SegmentDialog draft={draft} onClose={() => setDraft(null)} />
      <TagContacts
        tagged={chosenOf(tagging)}
        count={countOf(tagging)}
        onDone={() => setTagging(null)}
        onClose={() => setTagging(null)}
      />
      <MoveContacts
        chosen={chosenOf(moved)}
        count={countOf(moved)}
        from={owner}
        mayMove={mayRemove}
        onDone={() => {
          if (moving && moving !== 'found') moving.clear();
          setMoving(null);
        }}
        onClose={() => setMoving(null)}
      />
      <RemoveFound
        where={isRemovingFound ? where : null}
        count={foundCount}
        onClose={() => setRemovingFound(false)}
      />
      <RemoveContacts
        contacts={removing}
        onDone={() => {
          setGone(new Set([...gone, ...removing.map(({ id }) => id)]));
          setRemoving([]);
        }}
        onClose={() => setRemoving([])}
      />
    </>
  );
}
