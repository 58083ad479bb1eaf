import { REPORT_STATES, type Report } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconReport } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ReportDialog } from './report-dialog-later.ts';
import { ReportActions } from './report-actions.tsx';
import { reportSpec } from './reports.api.ts';
import { useReportColumns } from './use-report-columns.tsx';

const ScheduleSection = later(
  async () => (await import('./schedule-section.tsx')).ScheduleSection,
  <div data-coming />,
);
const RemoveReport = later(async () => (await import('./remove-report.tsx')).RemoveReport);

/** Reports of the account: those being made, and those whose files can be downloaded. */
export function ReportsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(reportSpec);
  const columns = useReportColumns();
  const [isOpen, setOpen] = useState(false);
  const [removed, setRemoved] = useState<Report | null>(null);
  const actions = useCallback(
    (report: Report) => <ReportActions report={report} onRemove={setRemoved} />,
    [],
  );
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
      actions={actions}
      actionsWidth={150}
      empty={{ icon: IconReport, title: t('reports:empty.title'), text: t('reports:empty.text') }}
    >
      <ScheduleSection />
      <ReportDialog opened={isOpen} onClose={() => setOpen(false)} />
      <RemoveReport row={removed} onClose={() => setRemoved(null)} />
    </ListPage>
  );
}
