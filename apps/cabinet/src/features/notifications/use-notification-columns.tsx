import type { Notification } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { colorOf, summaryOf, wordsOf } from './notification-words.ts';
import { ChannelState } from './channel-state.tsx';
import { ReadMark } from './read-mark.tsx';

export function useNotificationColumns(): GridColumn<Notification>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('notifications:what'),
        cell: (row) => (
          <Text span inherit fw={row.isRead ? 500 : 700} c={`var(--app-${colorOf(row)}-text)`}>
            {wordsOf(t, formats, row).title}
          </Text>
        ),
        width: 240,
        card: 'title',
      },
      {
        id: 'text',
        header: t('notifications:text'),
        cell: (row) => summaryOf(wordsOf(t, formats, row)),
        isSensitive: true,
        card: 'body',
      },
      {
        id: 'channel',
        header: t('notifications:channel'),
        cell: (row) => <ChannelState row={row} />,
        width: 130,
        hideBelow: 'lg',
      },
      {
        id: 'createdAt',
        header: t('notifications:time'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 160,
        card: 'note',
      },
      {
        id: 'isRead',
        header: t('notifications:state'),
        cell: (row) => <ReadMark isRead={row.isRead} />,
        width: 110,
        card: 'end',
      },
    ],
    [t, formats],
  );
}
