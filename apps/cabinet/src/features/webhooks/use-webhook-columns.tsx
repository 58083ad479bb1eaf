import type { Webhook } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { WebhookBadge } from './webhook-badges.tsx';

export function useWebhookColumns(): GridColumn<Webhook>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Webhook>[] => [
      {
        id: 'title',
        header: t('webhooks:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('webhooks:stateLabel'),
        cell: (row) => <WebhookBadge state={row.state} />,
        width: 170,
        card: 'end',
      },
      {
        id: 'event',
        header: t('webhooks:event'),
        cell: (row) => t(`webhooks:events.${row.event.replace('.', '_')}`),
        width: 210,
        card: 'note',
      },
      {
        id: 'url',
        header: t('webhooks:url'),
        cell: (row) => (
          <Text span size="sm" truncate title={row.url} display="block">
            {row.url}
          </Text>
        ),
        hideBelow: 'lg',
        card: 'body',
      },
      {
        id: 'lastSuccessAt',
        header: t('webhooks:lastSuccess'),
        cell: ({ lastSuccessAt }) =>
          lastSuccessAt ? <Time at={lastSuccessAt} /> : t('webhooks:never'),
        width: 160,
        hideBelow: 'lg',
      },
      timeColumn('createdAt', t('webhooks:created'), {
        width: 140,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t],
  );
}
