import type { Visit } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../core/formats.ts';
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
        cell: ({ data }) => placeText(data, formats),
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
        cell: (row) => row.useragent,
        isSensitive: true,
        hideBelow: 'md',
        card: 'body',
      },
    ],
    [t, formats],
  );
}

/** The country in the reader's language where its code is known. */
function placeText({ city, isoCode, country }: Visit['data'], formats: Formats): string {
  return [city, isoCode ? formats.region(isoCode) : country].filter(Boolean).join(', ');
}
