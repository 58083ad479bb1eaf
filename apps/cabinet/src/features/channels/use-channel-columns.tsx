import type { Channel } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { ChannelBadge } from './channel-badge.tsx';

export function useChannelColumns(): GridColumn<Channel>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('channels:name'),
        cell: (row) => row.name,
        sortable: true,
        width: 150,
        card: 'title',
      },
      {
        id: 'state',
        header: t('channels:state'),
        cell: ({ state }) => (
          <>
            <ChannelBadge status={state.status} />
            {state.status === 'failing' && (
              <Text size="xs" c="dimmed" truncate title={state.error ?? undefined}>
                {state.error}
              </Text>
            )}
          </>
        ),
        width: 230,
        card: 'end',
      },
      {
        id: 'types',
        header: t('channels:types'),
        cell: ({ types }) => {
          const names = types.map((type) => t(`common:type.${type}`)).join(', ');
          return <span title={names}>{names}</span>;
        },
        card: 'wide',
      },
      {
        id: 'priority',
        header: t('channels:priority'),
        cell: (row) => <span className="numeric">{formats.number(row.priority)}</span>,
        sortable: true,
        align: 'end',
        width: 110,
        hideBelow: 'md',
      },
      {
        id: 'submitted',
        header: t('channels:submitted'),
        cell: ({ state }) => <span className="numeric">{formats.number(state.submitted)}</span>,
        align: 'end',
        width: 110,
        hideBelow: 'lg',
      },
      {
        id: 'failingSince',
        header: t('channels:failingSince'),
        cell: ({ state }) => state.failingSince && <Time at={state.failingSince} />,
        width: 150,
        hideBelow: 'xl',
      },
      {
        id: 'reportedAt',
        header: t('channels:reportedAt'),
        cell: ({ state }) => state.reportedAt && <Time at={state.reportedAt} />,
        width: 150,
        hideBelow: 'xl',
      },
      {
        id: 'driver',
        header: t('channels:driver'),
        cell: (row) => row.driver,
        width: 120,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, formats],
  );
}
