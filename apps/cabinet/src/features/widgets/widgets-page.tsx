import type { OtpWidget } from '@heliograph/contract';
import { Alert, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconWidget, IconBan, IconChecks, IconPause } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { BlockedPrefixes } from './blocked-prefixes.tsx';
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

const STATES = {
  active: { color: 'green', icon: IconChecks },
  off: { color: 'orange', icon: IconPause },
  blocked: { color: 'red', icon: IconBan },
};
const stateOf = ({ isActive, isBlocked }: OtpWidget) =>
  isBlocked ? 'blocked' : isActive ? 'active' : 'off';

function useWidgetColumns(): GridColumn<OtpWidget>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<OtpWidget>[] => [
      {
        id: 'name',
        header: t('widgets:name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('widgets:stateLabel'),
        cell: (row) => (
          <StatusBadge
            appearance={STATES[stateOf(row)]}
            label={t(`widgets:state.${stateOf(row)}`)}
          />
        ),
        width: 170,
        card: 'end',
      },
      {
        id: 'channels',
        header: t('widgets:order.label'),
        cell: ({ otpWidgetChannelSettings: all }) =>
          all.length
            ? all.map(({ otpChannelSettings }) => otpChannelSettings.name).join(' → ')
            : t('widgets:order.none'),
        card: 'body',
      },
      {
        id: 'captcha',
        header: t('widgets:captcha.label'),
        cell: (row) =>
          row.captchaIsRequired
            ? t(`widgets:captcha.provider.${row.captchaProvider}`)
            : t('widgets:captcha.off'),
        width: 180,
        hideBelow: 'lg',
        card: 'note',
      },
      timeColumn('createdAt', t('widgets:created'), { width: 140, hideBelow: 'lg', card: 'note' }),
    ],
    [t],
  );
}
