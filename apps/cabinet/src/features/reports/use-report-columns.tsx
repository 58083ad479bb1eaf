import type { Report } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { Time } from '../../ui/time.tsx';
import { ReportBadge } from './report-badge.tsx';
import { ReportProgress } from './report-progress.tsx';

export function useReportColumns(): GridColumn<Report>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const owner = useOwnerColumn<Report>();
  return useMemo(
    () => [
      {
        id: 'preset',
        header: t('reports:preset'),
        cell: (row) => t(`reports:presets.${row.preset}`),
        card: 'title',
      },
      {
        id: 'state',
        header: t('reports:stateLabel'),
        cell: (row) => <ReportBadge state={row.state} />,
        width: 160,
        card: 'end',
      },
      {
        id: 'progress',
        header: t('reports:result'),
        cell: (row) => <ReportProgress report={row} />,
        width: 200,
        card: 'body',
      },
      ...owner,
      {
        id: 'range',
        header: t('reports:range'),
        cell: ({ where }) => rangeText(where, formats.dateTime),
        width: 220,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'file',
        header: t('reports:format'),
        cell: ({ format, encoding }) =>
          format === 'xlsx' ? 'XLSX' : `CSV, ${t(`reports:encodings.${encoding}`)}`,
        width: 160,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'createdAt',
        header: t('reports:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'expiresAt',
        header: t('reports:expires'),
        cell: (row) =>
          row.hasFile && row.expiresAt ? (
            <Time at={row.expiresAt} />
          ) : (
            row.state === 'completed' && t('reports:fileGone')
          ),
        width: 150,
        isOptional: true,
      },
    ],
    [t, formats, owner],
  );
}

function rangeText(where: Report['where'], format: (at: string) => string): string {
  const { $gt, $lt } = (where.createdAt ?? {}) as { $gt?: string; $lt?: string };
  return [$gt, $lt].map((at) => (at ? format(at) : '')).join(' – ');
}
