import type { Requisite } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconInvoice, IconPlus, IconRequisites } from '../../ui/icons.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { later } from '../../ui/later.tsx';
import { useRemoveRequisite, requisiteSpec } from './requisites.api.ts';

const ContractDialog = later(async () => (await import('./contract-dialog.tsx')).ContractDialog);

const pathOf = ({ id }: { id: string }) => `/account/requisites/${id}`;

const REMOVAL: Removal<Requisite> = {
  can: ['requisites.remove'],
  useChange: useRemoveRequisite,
  words: (t, { title }) => ({
    question: t('requisites:removeQuestion', { title }),
    action: t('requisites:remove', { title }),
    text: t('requisites:removeText'),
  }),
};

/** The requisites of the user's own account. */
export function RequisitesPage() {
  const { data: me } = useQuery(meQuery);
  return me ? <Requisites OwnerId={me.OwnerId} /> : null;
}

function Requisites({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(requisiteSpec, fixed);
  const columns = useRequisiteColumns();
  const [contracting, setContracting] = useState<Requisite | null>(null);
  const mayDownload = can('documents.create');
  const mayUpdate = can('requisites.update');
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
        <>
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
        </>
      );
    },
    [t, navigate, mayDownload, mayUpdate],
  );
  return (
    <ListPage
      page={page}
      title={t('requisites:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      rowTo={pathOf}
      actions={mayDownload || mayUpdate ? actions : undefined}
      actionsWidth={140}
      empty={{
        icon: IconRequisites,
        title: t('requisites:empty.title'),
        text: t('requisites:empty.text'),
      }}
    >
      <ContractDialog row={contracting} onClose={() => setContracting(null)} />
    </ListPage>
  );
}

function useRequisiteColumns(): GridColumn<Requisite>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Requisite>[] => [
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
      timeColumn('createdAt', t('requisites:column.created'), {
        width: 140,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t],
  );
}
