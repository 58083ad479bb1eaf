import type { OtpWidget } from '@heliograph/contract';
import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconWidget } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { BlockedPrefixes } from './blocked-prefixes.tsx';
import { useWidgetColumns } from './use-widget-columns.tsx';
import { useRemoveWidget, widgetSpec } from './widgets.api.ts';

const CreateWidget = later(async () => (await import('./widget-dialog.tsx')).CreateWidgetDialog);
const EditWidget = later(async () => (await import('./widget-dialog.tsx')).EditWidgetDialog);

const REMOVAL: Removal<OtpWidget> = {
  can: ['widgets.remove'],
  useChange: useRemoveWidget,
  words: (t, { name }) => ({
    question: t('widgets:removeQuestion', { name }),
    action: t('widgets:remove', { name }),
    text: t('widgets:removeText'),
  }),
};

export function WidgetsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(widgetSpec);
  const columns = useWidgetColumns();
  const create = useCreateButton(t('widgets:create'), 'widgets.create');
  return (
    <ListPage
      page={page}
      title={t('widgets:title')}
      create={create}
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
      removal={REMOVAL}
      empty={{ icon: IconWidget, title: t('widgets:empty.title'), text: t('widgets:empty.text') }}
    >
      <CreateWidget />
      <EditWidget />
    </ListPage>
  );
}
