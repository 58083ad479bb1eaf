import type { Company } from '@heliograph/contract';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconRequisites, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { companySpec } from './companies.api.ts';
import { useCompanyColumns } from './use-company-columns.tsx';

const CompanyDrawer = later(async () => (await import('./company-drawer.tsx')).CompanyDrawer);
const RemoveCompany = later(async () => (await import('./remove-company.tsx')).RemoveCompany);

export function CompaniesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(companySpec);
  const columns = useCompanyColumns();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<Company | null>(null);
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
            onClick={() => setRemoving(row)}
          />
        </RowActions>
      ) : null,
    [t, isAdministrator],
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
      <RemoveCompany row={removing} onClose={() => setRemoving(null)} />
      <CompanyDrawer />
    </ListPage>
  );
}
