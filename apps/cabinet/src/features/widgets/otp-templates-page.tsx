import { OtpChannelType, type OtpTemplate } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { manyField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconTemplate } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { WidgetList } from './widget-list.tsx';
import { otpTemplateSpec } from './widgets.api.ts';

const OtpTemplateDialog = later(
  async () => (await import('./otp-template-dialog.tsx')).OtpTemplateDialog,
);
const RemoveTemplate = later(async () => (await import('./remove-template.tsx')).RemoveTemplate);

export function OtpTemplatesPage() {
  const { t } = useTranslation();
  const page = useListPage(otpTemplateSpec);
  const columns = useTemplateColumns();
  return (
    <WidgetList
      area="otp-settings"
      createLabel={t('widgets:templates.create')}
      page={page}
      title={t('widgets:templates.title')}
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
      RemoveDialog={RemoveTemplate}
      empty={{
        icon: IconTemplate,
        title: t('widgets:templates.empty.title'),
        text: t('widgets:templates.empty.text'),
      }}
    >
      <OtpTemplateDialog />
    </WidgetList>
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
