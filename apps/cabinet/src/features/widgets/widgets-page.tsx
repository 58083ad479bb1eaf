import type { OtpWidget } from '@heliograph/contract';
import { Alert, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTrash, IconWidget } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { BlockedPrefixes } from './blocked-prefixes.tsx';
import { useWidgetColumns } from './use-widget-columns.tsx';
import { widgetSpec } from './widgets.api.ts';

const CreateWidget = later(async () => (await import('./widget-dialog.tsx')).CreateWidgetDialog);
const EditWidget = later(async () => (await import('./widget-dialog.tsx')).EditWidgetDialog);
const RemoveWidget = later(async () => (await import('./remove-widget.tsx')).RemoveWidget);

export function WidgetsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(widgetSpec);
  const columns = useWidgetColumns();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<OtpWidget | null>(null);
  const mayRemove = can('widgets.remove');
  const create = can('widgets.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('widgets:create')}</CreateButton>
  );
  const actions = useCallback(
    (row: OtpWidget) => (
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
      title={t('widgets:title')}
      fields={[{ kind: 'search', label: t('widgets:search') }]}
      create={create}
      intro={
        <Stack gap="sm" mb="md" maw={720}>
          <Text size="sm" c="dimmed">
            {t('widgets:intro')}
          </Text>
          {!(can('otp-handler.get') && can('otp-handler.use')) && (
            <Alert color="orange" variant="light">
              {t('widgets:noHandler')}
            </Alert>
          )}
          <BlockedPrefixes />
        </Stack>
      }
      columns={columns}
      actions={actions}
      actionsWidth={70}
      empty={{ icon: IconWidget, title: t('widgets:empty.title'), text: t('widgets:empty.text') }}
    >
      <CreateWidget />
      <EditWidget />
      <RemoveWidget row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
