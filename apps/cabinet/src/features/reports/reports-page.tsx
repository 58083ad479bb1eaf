import { REPORT_STATES, type Report } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconReport, IconDownload, IconRepeat, IconStop } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { ReportBadge } from './report-badge.tsx';
import { ReportDialog } from './report-dialog-later.ts';
import { ReportProgress } from './report-progress.tsx';
import {
  useRemoveReport,
  reportSpec,
  isUnfinished,
  useCancelReport,
  useRepeatReport,
} from './reports.api.ts';

const ScheduleSection = later(
  async () => (await import('./schedule-section.tsx')).ScheduleSection,
  <div data-coming />,
);

const REMOVAL: Removal<Report> = {
  can: ['reports.remove'],
  useChange: useRemoveReport,
  words: (t, { filename }) => ({
    question: t('reports:removeQuestion', { name: filename }),
    action: t('reports:removeAction'),
    text: t('reports:removeText'),
  }),
  button: (t, { filename }) => ({ label: t('reports:remove', { name: filename }) }),
};

/** Reports of the account: those being made, and those whose files can be downloaded. */
export function ReportsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(reportSpec);
  const columns = useReportColumns();
  const [isOpen, setOpen] = useState(false);
  const actions = useCallback((report: Report) => <ReportActions report={report} />, []);
  const fields: FilterField[] = [
    manyField('state', t('reports:stateLabel'), REPORT_STATES, (value) =>
      t(`reports:state.${value}`),
    ),
    { kind: 'period', label: t('reports:created') },
    { kind: 'owner', label: t('reports:owner') },
  ];
  const create = can('reports.create') && (
    <Button aria-keyshortcuts="n" onClick={() => setOpen(true)}>
      {t('reports:create')}
    </Button>
  );
  return (
    <ListPage
      page={page}
      title={t('reports:title')}
      fields={fields}
      header={create}
      rowTo={null}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={150}
      empty={{ icon: IconReport, title: t('reports:empty.title'), text: t('reports:empty.text') }}
    >
      <ScheduleSection />
      <ReportDialog opened={isOpen} onClose={() => setOpen(false)} />
    </ListPage>
  );
}

function ReportActions({ report }: { report: Report }) {
  const { t } = useTranslation();
  const can = useCan();
  const download = useMutationOnce({ mutationFn: downloadFile });
  const cancel = useCancelReport();
  const repeat = useRepeatReport();
  const { id, filename: name, hasFile } = report;
  const isOpen = isUnfinished(report);
  return (
    <>
      {hasFile && can('storage.get') && (
        <IconAction
          icon={IconDownload}
          word="download"
          label={t('reports:download', { name })}
          onClick={() => download.mutate(id)}
        />
      )}
      {isOpen && can('reports.create') && (
        <IconAction
          icon={IconStop}
          word="cancel"
          label={t('reports:cancel', { name })}
          onClick={() => cancel.mutate(id)}
        />
      )}
      {!isOpen && can('reports.create') && (
        <IconAction
          icon={IconRepeat}
          word="recreate"
          label={t('reports:repeat', { name })}
          onClick={() => repeat.mutate(report)}
        />
      )}
    </>
  );
}

function useReportColumns(): GridColumn<Report>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const owner = useOwnerColumn<Report>();
  return useMemo(
    (): GridColumn<Report>[] => [
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
      timeColumn('createdAt', t('reports:created'), { width: 150, hideBelow: 'md', card: 'note' }),
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
