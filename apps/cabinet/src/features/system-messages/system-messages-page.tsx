import { SYSTEM_MESSAGE_TYPES, type SystemMessage } from '@heliograph/contract';
import { parseRichText, plainRichText } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconBell } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { audienceOf } from './audience.ts';
import { systemMessageSpec } from './system-messages.api.ts';

const SystemMessageDialogs = later(
  async () => (await import('./system-message-dialogs.tsx')).SystemMessageDialogs,
);

/** Messages of managers to their accounts, or to all. */
export function SystemMessagesPage() {
  const { t } = useTranslation();
  const page = useListPage(systemMessageSpec);
  const columns = useColumns();
  const fields: FilterField[] = [
    {
      kind: 'one',
      name: 'type',
      label: t('systemMessages:type'),
      options: SYSTEM_MESSAGE_TYPES.map((value) => ({
        value,
        label: t(`notifications:types.${value}.title`),
      })),
    },
  ];
  const create = useCreateButton(t('systemMessages:create'), 'systemMessages.create', 'managerUp');
  return (
    <ListPage
      page={page}
      title={t('systemMessages:title')}
      fields={fields}
      create={create}
      columns={columns}
      empty={{
        icon: IconBell,
        title: t('systemMessages:empty.title'),
        text: t('systemMessages:empty.text'),
      }}
    >
      <SystemMessageDialogs />
    </ListPage>
  );
}

function useColumns(): GridColumn<SystemMessage>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<SystemMessage>[] => [
      {
        id: 'title',
        header: t('systemMessages:name'),
        cell: (row) => (
          <Text span inherit fw={500}>
            {row.title}
          </Text>
        ),
        width: 220,
        card: 'title',
      },
      {
        id: 'text',
        header: t('systemMessages:text'),
        cell: (row) =>
          plainRichText(parseRichText(row.text)).split('\n').filter(Boolean).join(' · '),
        card: 'body',
      },
      {
        id: 'audience',
        header: t('systemMessages:to'),
        cell: (row) => audienceOf(t, row),
        width: 180,
      },
      {
        id: 'notified',
        header: t('systemMessages:notified'),
        cell: (row) =>
          row.state === 'running'
            ? t('systemMessages:running', { notified: formats.number(row.notified) })
            : formats.number(row.notified),
        width: 130,
      },
      timeColumn('createdAt', t('systemMessages:createdAt'), { width: 160, card: 'note' }),
    ],
    [t, formats],
  );
}
