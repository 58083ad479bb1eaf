import type { Notification } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';
import { colorOf, wordsOf } from './notification-words.ts';
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
        cell: (row) => wordsOf(t, formats, row).lines.join(' · '),
        isSensitive: true,
        card: 'body',
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
