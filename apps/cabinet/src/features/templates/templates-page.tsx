import { Moderation, type TemplateRow } from '@heliograph/contract';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconSend, IconTemplate } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { useRemoveTemplate, templateSpec } from './templates.api.ts';

const TemplateDrawer = later(async () => (await import('./template-drawer.tsx')).TemplateDrawer);

const REMOVAL: Removal<TemplateRow> = {
  can: ['templates.remove'],
  useChange: useRemoveTemplate,
  words: (t, { title }) => ({
    question: t('templates:removeQuestion', { title }),
    action: t('templates:remove', { title }),
    text: t('templates:removeText'),
  }),
};

export function TemplatesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const { sendings } = useSettings();
  const page = useListPage(templateSpec);
  const columns = useTemplateColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('templates:search') },
    manyField('type', t('templates:type'), sendings.types, (value) => t(`common:type.${value}`)),
    manyField('moderation', t('templates:state'), Moderation.options, (value) =>
      t(`templates:moderation.${value}`),
    ),
    {
      kind: 'one',
      name: 'isActive',
      label: t('templates:inUse'),
      options: [
        { value: 'true', label: t('templates:active') },
        { value: 'false', label: t('templates:inactive') },
      ],
    },
    { kind: 'owner', label: t('templates:owner') },
  ];
  const create = useCreateButton(t('templates:create'), 'templates.create');
  const actions = useCallback(
    (row: TemplateRow) => (
      <>
        {can('sendings.generate') && (
          <IconAction
            icon={IconSend}
            word="send"
            label={t('templates:useTitle', { title: row.title })}
            disabled={!row.isActive || row.moderation === 'rejected'}
            onClick={() => void navigate(`/send/${row.id}`)}
          />
        )}
      </>
    ),
    [can, navigate, t],
  );
  return (
    <ListPage
      page={page}
      title={t('templates:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={100}
      empty={{
        icon: IconTemplate,
        title: t('templates:empty.title'),
        text: t('templates:empty.text'),
      }}
    >
      <TemplateDrawer />
    </ListPage>
  );
}

function useTemplateColumns(): GridColumn<TemplateRow>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<TemplateRow>();
  return useMemo(
    (): GridColumn<TemplateRow>[] => [
      {
        id: 'title',
        header: t('templates:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 200,
        card: 'title',
      },
      {
        id: 'type',
        header: t('templates:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 120,
        card: 'note',
      },
      {
        id: 'text',
        header: t('templates:text'),
        cell: (row) => <span title={row.payload.text}>{row.payload.text ?? ''}</span>,
        hideBelow: 'md',
        isSensitive: true,
        card: 'body',
      },
      ...owner,
      {
        id: 'moderation',
        header: t('templates:state'),
        cell: ({ moderation }) => (
          <ModerationBadge state={moderation} label={t(`templates:moderation.${moderation}`)} />
        ),
        width: 165,
        card: 'end',
      },
      {
        id: 'isActive',
        header: t('templates:inUse'),
        cell: (row) => t(row.isActive ? 'templates:offered' : 'templates:inactive'),
        width: 125,
        hideBelow: 'xl',
        card: 'note',
      },
      timeColumn('createdAt', t('templates:created'), {
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      }),
      timeColumn('updatedAt', t('templates:updated'), {
        width: 160,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t, owner],
  );
}
