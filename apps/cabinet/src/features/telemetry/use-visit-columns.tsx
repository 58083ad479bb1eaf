import type { Visit } from '@heliograph/contract';
import { placeText } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Time } from '../../ui/time.tsx';

export function useVisitColumns(): GridColumn<Visit>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'createdAt',
        header: t('telemetry:when'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        card: 'end',
      },
      {
        id: 'action',
        header: t('telemetry:action'),
        cell: () => t('telemetry:login'),
        width: 180,
        card: 'title',
      },
      {
        id: 'place',
        header: t('telemetry:place'),
        cell: ({ data }) => placeText(formats.locale, data),
        isSensitive: true,
        width: 200,
        card: 'note',
      },
      {
        id: 'ip',
        header: t('telemetry:ip'),
        cell: (row) => row.ip && <span className="numeric">{row.ip}</span>,
        isSensitive: true,
        width: 150,
        card: 'note',
      },
      {
        id: 'useragent',
        header: t('telemetry:useragent'),
        cell: (row) => row.useragent && <Client visit={row} />,
        isSensitive: true,
        hideBelow: 'md',
        card: 'body',
      },
    ],
    [t, formats],
  );
}

/** The browser as in the open sessions, with what it calls itself below: that is what a support team asks for. */
function Client({ visit }: { visit: Visit }) {
  const { browser, system, useragent } = visit;
  const name = [browser, system].filter(Boolean).join(', ');
  if (!name) return useragent;
  return (
    <>
      {name}
      <Text size="xs" c="dimmed">
        {useragent}
      </Text>
    </>
  );
}
