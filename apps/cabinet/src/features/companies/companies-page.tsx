import type { Company } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconRequisites, IconCheck, IconPause } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useRemoveCompany, companySpec } from './companies.api.ts';

const CompanyDrawer = later(async () => (await import('./company-drawer.tsx')).CompanyDrawer);

const REMOVAL: Removal<Company> = {
  can: ['companies.remove', 'managerUp'],
  of: ({ OwnerId }, can) => can('users.all') || !!OwnerId,
  useChange: useRemoveCompany,
  words: (t, { title }) => ({
    question: t('companies:removeQuestion', { title }),
    action: t('companies:remove', { title }),
    text: t('companies:removeText'),
  }),
};

export function CompaniesPage() {
  const { t } = useTranslation();
  const page = useListPage(companySpec);
  const columns = useCompanyColumns();
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
  const create = useCreateButton(t('companies:create'), 'companies.create', 'managerUp');
  return (
    <ListPage
      page={page}
      title={t('companies:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      empty={{
        icon: IconRequisites,
        title: t('companies:empty.title'),
        text: t('companies:empty.text'),
      }}
    >
      <CompanyDrawer />
    </ListPage>
  );
}

const ACTIVE = { color: 'green', icon: IconCheck };
const INACTIVE = { color: 'gray', icon: IconPause };

function useCompanyColumns(): GridColumn<Company>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Company>[] => [
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
      timeColumn('createdAt', t('companies:created'), {
        width: 150,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t],
  );
}
