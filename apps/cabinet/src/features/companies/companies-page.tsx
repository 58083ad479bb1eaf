import type { Company } from '@heliograph/contract';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useRemoval } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconRequisites, IconTrash, IconCheck, IconPause } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { useRemoveCompany, companySpec } from './companies.api.ts';

const CompanyDrawer = later(async () => (await import('./company-drawer.tsx')).CompanyDrawer);

export function CompaniesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(companySpec);
  const columns = useCompanyColumns();
  const [, setCreating] = useParam('create');
  const [askRemoval, removal] = useRemoval<Company>(useRemoveCompany(), ({ title }) => ({
    question: t('companies:removeQuestion', { title }),
    action: t('companies:remove', { title }),
    text: t('companies:removeText'),
  }));
  const isAdministrator = can('users.all');
  const yesNo = (yes: string, no: string) => [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  const fields: FilterField[] = [
    { kind: 'search', label: t('companies:search') },
    {
      kind: 'one',
      name: 'isActive',
      label: t('companies:state'),
      options: yesNo(t('companies:active'), t('companies:inactive')),
    },
    {
      kind: 'one',
      name: 'vat',
      label: t('requisites:column.vat'),
      options: yesNo(t('requisites:withVat'), t('requisites:withoutVat')),
    },
    { kind: 'owner', label: t('companies:owner') },
  ];
  const create = can('companies.create', 'managerUp') && (
    <CreateButton onClick={() => setCreating('true')}>{t('companies:create')}</CreateButton>
  );
  const mayRemove = can('companies.remove', 'managerUp');
  const actions = useCallback(
    (row: Company) =>
      isAdministrator || row.OwnerId ? (
        <RowActions>
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('companies:remove', { title: row.title })}
            onClick={() => askRemoval(row)}
          />
        </RowActions>
      ) : null,
    [t, isAdministrator, askRemoval],
  );
  return (
    <ListPage
      page={page}
      title={t('companies:title')}
      fields={fields}
      create={create}
      columns={columns}
      actions={mayRemove ? actions : undefined}
      actionsWidth={64}
      empty={{
        icon: IconRequisites,
        title: t('companies:empty.title'),
        text: t('companies:empty.text'),
      }}
    >
      {removal}
      <CompanyDrawer />
    </ListPage>
  );
}

const ACTIVE = { color: 'green', icon: IconCheck };
const INACTIVE = { color: 'gray', icon: IconPause };

function useCompanyColumns(): GridColumn<Company>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('companies:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'inn',
        header: t('requisites:inn'),
        cell: (row) => <span className="numeric">{row.data.legal.inn}</span>,
        width: 140,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'vat',
        header: t('requisites:column.vat'),
        cell: (row) => t(row.vat ? 'requisites:withVat' : 'requisites:withoutVat'),
        width: 120,
        card: 'note',
      },
      {
        id: 'owner',
        header: t('companies:owner'),
        cell: (row) => row.Owner?.username ?? (row.OwnerId ? '' : t('companies:everyAccount')),
        width: 170,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'types',
        header: t('companies:types'),
        cell: (row) =>
          row.DocumentTemplatesTypes.map((type) => t(`companies:type.${type}`)).join(', '),
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'isActive',
        header: t('companies:state'),
        cell: ({ isActive }) => (
          <StatusBadge
            appearance={isActive ? ACTIVE : INACTIVE}
            label={t(isActive ? 'companies:active' : 'companies:inactive')}
          />
        ),
        width: 160,
        card: 'end',
      },
      {
        id: 'createdAt',
        header: t('companies:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        isOptional: true,
        card: 'note',
      },
    ],
    [t],
  );
}
