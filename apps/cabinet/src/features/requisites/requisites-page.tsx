import type { Requisite } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { isFirstUse } from '../../list/state/list-state.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRemoval } from '../../list/use-removal.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconInvoice, IconPlus, IconRequisites, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useRemoveRequisite, requisiteSpec } from './requisites.api.ts';

const ContractDialog = later(async () => (await import('./contract-dialog.tsx')).ContractDialog);

const pathOf = ({ id }: { id: string }) => `/account/requisites/${id}`;

/** The requisites of the user's own account. */
export function RequisitesPage() {
  const { data: me } = useQuery(meQuery);
  return me ? <Requisites OwnerId={me.OwnerId} /> : null;
}

function Requisites({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const control = useListState(requisiteSpec);
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const list = useList(requisiteSpec, control, fixed);
  const columns = useRequisiteColumns();
  const [askRemoval, removal] = useRemoval<Requisite>(useRemoveRequisite(), ({ title }) => ({
    question: t('requisites:removeQuestion', { title }),
    action: t('requisites:remove', { title }),
    text: t('requisites:removeText'),
  }));
  const [contracting, setContracting] = useState<Requisite | null>(null);
  const mayDownload = can('documents.create');
  const mayUpdate = can('requisites.update');
  const mayRemove = can('requisites.remove');
  const fields: FilterField[] = [{ kind: 'search', label: t('requisites:search') }];
  const create = can('requisites.create') && (
    <Button
      component={Link}
      to="/account/requisites/create"
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
    >
      {t('requisites:create')}
    </Button>
  );
  const actions = useCallback(
    (row: Requisite) => {
      const { title } = row;
      return (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {mayUpdate && (
            <IconAction
              icon={IconEdit}
              word="edit"
              label={t('requisites:edit', { title })}
              shortcut="e"
              onClick={() => void navigate(pathOf(row))}
            />
          )}
          {mayDownload && (
            <IconAction
              icon={IconInvoice}
              word="contract"
              label={t('requisites:contract.open', { title })}
              onClick={() => setContracting(row)}
            />
          )}
          {mayRemove && (
            <IconAction
              icon={IconTrash}
              word="remove"
              label={t('requisites:remove', { title })}
              onClick={() => askRemoval(row)}
            />
          )}
        </Group>
      );
    },
    [t, navigate, mayDownload, mayUpdate, mayRemove, askRemoval],
  );
  return (
    <>
      <PageHeader title={t('requisites:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('requisites:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={pathOf}
        actions={mayDownload || mayUpdate || mayRemove ? actions : undefined}
        actionsWidth={140}
        empty={
          <Empty
            icon={IconRequisites}
            title={t('requisites:empty.title')}
            text={t('requisites:empty.text')}
          >
            {create}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <ContractDialog row={contracting} onClose={() => setContracting(null)} />
      {removal}
    </>
  );
}

function useRequisiteColumns(): GridColumn<Requisite>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('requisites:column.title'),
        cell: (row) => row.title,
        sortable: true,
        isSensitive: true,
        card: 'title',
      },
      {
        id: 'inn',
        header: t('requisites:inn'),
        cell: (row) => <span className="numeric">{row.data.legal.inn}</span>,
        isSensitive: true,
        width: 140,
        card: 'note',
      },
      {
        id: 'name',
        header: t('requisites:column.name'),
        cell: (row) => row.data.legal.name,
        isSensitive: true,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'vat',
        header: t('requisites:column.vat'),
        cell: (row) => t(row.data.tax.vat ? 'requisites:withVat' : 'requisites:withoutVat'),
        width: 130,
        card: 'end',
      },
      {
        id: 'createdAt',
        header: t('requisites:column.created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 140,
        isOptional: true,
        card: 'note',
      },
    ],
    [t],
  );
}
