import type { DocumentTemplate } from '@heliograph/contract';
import { DOCUMENT_TYPES } from '@heliograph/domain';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconCheck, IconTemplate } from '../../ui/icons.ts';
import {
  useRemoveTemplate,
  documentTemplateSpec,
  useActivateTemplate,
} from './document-templates.api.ts';
import { TemplateState } from './template-state.tsx';

const pathOf = ({ id }: { id: string }) => `/documentTemplates/${id}`;

const REMOVAL: Removal<DocumentTemplate> = {
  can: ['documentTemplates.remove', 'managerUp'],
  // The one in use is replaced by another one, not deleted.
  of: ({ isActive }) => !isActive,
  useChange: useRemoveTemplate,
  words: (t, { title }) => ({
    question: t('documentTemplates:removeQuestion', { title }),
    action: t('documentTemplates:remove', { title }),
    text: t('documentTemplates:removeText'),
  }),
};

/** The templates that contracts, invoices and acts are made with. */
export function DocumentTemplatesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const page = useListPage(documentTemplateSpec);
  const columns = useTemplateColumns();
  const { mutate: activate } = useActivateTemplate();
  const mayUpdate = can('documentTemplates.update', 'managerUp');
  const fields: FilterField[] = [
    { kind: 'search', label: t('documentTemplates:search') },
    manyField('type', t('documentTemplates:type'), DOCUMENT_TYPES, (value) =>
      t(`documentTemplates:types.${value}`),
    ),
    { kind: 'given', name: 'CompanyId', label: t('documentTemplates:company') },
  ];
  const create = can('documentTemplates.create', 'managerUp') && (
    <CreateButton onClick={() => void navigate('/documentTemplates/create')}>
      {t('documentTemplates:create')}
    </CreateButton>
  );
  const actions = useCallback(
    (row: DocumentTemplate) => {
      const { id, title, isActive } = row;
      // The one in use is replaced by another one, not deleted.
      if (isActive) return null;
      return (
        <>
          {mayUpdate && (
            <IconAction
              icon={IconCheck}
              word="use"
              label={t('documentTemplates:activateNamed', { title })}
              onClick={() => activate({ id, isActive: true })}
            />
          )}
        </>
      );
    },
    [t, mayUpdate, activate],
  );
  return (
    <ListPage
      page={page}
      title={t('documentTemplates:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      rowTo={pathOf}
      actions={mayUpdate ? actions : undefined}
      actionsWidth={100}
      empty={{
        icon: IconTemplate,
        title: t('documentTemplates:empty.title'),
        text: t('documentTemplates:empty.text'),
      }}
    />
  );
}

function useTemplateColumns(): GridColumn<DocumentTemplate>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<DocumentTemplate>[] => [
      {
        id: 'title',
        header: t('documentTemplates:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'type',
        header: t('documentTemplates:type'),
        cell: (row) => t(`documentTemplates:types.${row.type}`),
        width: 160,
        card: 'note',
      },
      {
        id: 'company',
        header: t('documentTemplates:company'),
        cell: (row) => row.company.title,
        card: 'note',
      },
      {
        id: 'isActive',
        header: t('documentTemplates:state'),
        cell: (row) => <TemplateState row={row} />,
        width: 210,
        card: 'end',
      },
      timeColumn('updatedAt', t('documentTemplates:updated'), {
        width: 150,
        hideBelow: 'md',
        card: 'note',
      }),
      timeColumn('createdAt', t('documentTemplates:created'), {
        width: 150,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t],
  );
}
