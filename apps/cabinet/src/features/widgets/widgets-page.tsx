import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconWidget } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { BlockedPrefixes } from './blocked-prefixes.tsx';
import { useWidgetColumns } from './use-widget-columns.tsx';
import { WidgetList } from './widget-list.tsx';
import { widgetSpec } from './widgets.api.ts';

const CreateWidget = later(async () => (await import('./widget-dialog.tsx')).CreateWidgetDialog);
const EditWidget = later(async () => (await import('./widget-dialog.tsx')).EditWidgetDialog);
const RemoveWidget = later(async () => (await import('./remove-widget.tsx')).RemoveWidget);

export function WidgetsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(widgetSpec);
  const columns = useWidgetColumns();
  return (
    <WidgetList
      area="widgets"
      createLabel={t('widgets:create')}
      page={page}
      title={t('widgets:title')}
      fields={[{ kind: 'search', label: t('widgets:search') }]}
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
      RemoveDialog={RemoveWidget}
      empty={{ icon: IconWidget, title: t('widgets:empty.title'), text: t('widgets:empty.text') }}
    >
      <CreateWidget />
      <EditWidget />
    </WidgetList>
  );
}
