import { OtpChannelType, type OtpTemplate } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconTemplate } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { useRemoveTemplate, otpTemplateSpec } from './widgets.api.ts';

const OtpTemplateDialog = later(
  async () => (await import('./otp-template-dialog.tsx')).OtpTemplateDialog,
);

const REMOVAL: Removal<OtpTemplate> = {
  can: ['otp-settings.remove'],
  useChange: useRemoveTemplate,
  words: (t, { name }) => ({
    question: t('widgets:templates.removeQuestion', { name }),
    action: t('widgets:remove', { name }),
    text: t('widgets:templates.removeText'),
  }),
};

export function OtpTemplatesPage() {
  const { t } = useTranslation();
  const page = useListPage(otpTemplateSpec);
  const columns = useTemplateColumns();
  const create = useCreateButton(t('widgets:templates.create'), 'otp-settings.create');
  return (
    <ListPage
      page={page}
      title={t('widgets:templates.title')}
      create={create}
      fields={[
        { kind: 'search', label: t('widgets:search') },
        manyField('channelType', t('widgets:type'), OtpChannelType.options, (type) =>
          t(`common:type.${type}`),
        ),
      ]}
      intro={
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {t('widgets:templates.intro', { code: '{code}' })}
        </Text>
      }
      columns={columns}
      removal={REMOVAL}
      empty={{
        icon: IconTemplate,
        title: t('widgets:templates.empty.title'),
        text: t('widgets:templates.empty.text'),
      }}
    >
      <OtpTemplateDialog />
    </ListPage>
  );
}

function useTemplateColumns(): GridColumn<OtpTemplate>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<OtpTemplate>[] => [
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
      timeColumn('createdAt', t('widgets:created'), { width: 140, isOptional: true, card: 'note' }),
    ],
    [t],
  );
}
