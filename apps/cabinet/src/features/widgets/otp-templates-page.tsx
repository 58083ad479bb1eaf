import { OtpChannelType, type OtpTemplate } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTemplate, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { otpTemplateSpec } from './widgets.api.ts';

const CreateTemplate = later(
  async () => (await import('./otp-template-dialog.tsx')).CreateTemplateDialog,
);
const EditTemplate = later(
  async () => (await import('./otp-template-dialog.tsx')).EditTemplateDialog,
);
const RemoveTemplate = later(async () => (await import('./remove-template.tsx')).RemoveTemplate);

export function OtpTemplatesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(otpTemplateSpec);
  const columns = useTemplateColumns();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<OtpTemplate | null>(null);
  const mayRemove = can('otp-settings.remove');
  const create = can('otp-settings.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('widgets:templates.create')}</CreateButton>
  );
  const actions = useCallback(
    (row: OtpTemplate) => (
      <RowActions>
        {mayRemove && (
          <IconAction
            icon={IconTrash}
            label={t('widgets:remove', { name: row.name })}
            onClick={() => setRemoving(row)}
          />
        )}
      </RowActions>
    ),
    [t, mayRemove],
  );
  return (
    <ListPage
      page={page}
      title={t('widgets:templates.title')}
      fields={[
        { kind: 'search', label: t('widgets:search') },
        manyField('channelType', t('widgets:type'), OtpChannelType.options, (type) =>
          t(`common:type.${type}`),
        ),
      ]}
      create={create}
      intro={
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {t('widgets:templates.intro', { code: '{code}' })}
        </Text>
      }
      columns={columns}
      actions={actions}
      actionsWidth={70}
      empty={{
        icon: IconTemplate,
        title: t('widgets:templates.empty.title'),
        text: t('widgets:templates.empty.text'),
      }}
    >
      <CreateTemplate />
      <EditTemplate />
      <RemoveTemplate row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}

function useTemplateColumns(): GridColumn<OtpTemplate>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('widgets:name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        id: 'channelType',
        header: t('widgets:type'),
        cell: (row) => t(`common:type.${row.channelType}`),
        width: 150,
        card: 'end',
      },
      {
        id: 'senderId',
        header: t('widgets:templates.sender'),
        cell: (row) => row.additionalSettings.senderId,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'template',
        header: t('widgets:templates.text'),
        cell: ({ additionalSettings: { template } }) => (
          <Text span size="sm" truncate title={template} display="block">
            {template}
          </Text>
        ),
        card: 'body',
      },
      {
        id: 'conditions',
        header: t('widgets:conditions.label'),
        cell: ({ conditions }) =>
          conditions.length
            ? conditions.map(({ tag }) => t(`widgets:conditions.tag.${tag}`)).join(', ')
            : t('widgets:conditions.none'),
        width: 180,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('widgets:created'),
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
