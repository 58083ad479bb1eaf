import { REPORT_STATES, type Report } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconReport } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ReportActions } from './report-actions.tsx';
import { reportSpec } from './reports.api.ts';
import { useReportColumns } from './use-report-columns.tsx';

const ReportDialog = later(async () => (await import('./report-dialog.tsx')).ReportDialog);
const RemoveReport = later(async () => (await import('./remove-report.tsx')).RemoveReport);

/** Reports of the account: those being made, and those whose files can be downloaded. */
export function ReportsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(reportSpec);
  const list = useList(reportSpec, control);
  const columns = useReportColumns();
  const [isOpen, setOpen] = useState(false);
  const [removed, setRemoved] = useState<Report | null>(null);
  const actions = useCallback(
    (report: Report) => <ReportActions report={report} onRemove={setRemoved} />,
    [],
  );
  const fields: FilterField[] = [
    {
      kind: 'many',
      name: 'state',
      label: t('reports:stateLabel'),
      options: REPORT_STATES.map((value) => ({ value, label: t(`reports:state.${value}`) })),
    },
    { kind: 'period', label: t('reports:created') },
    { kind: 'owner', label: t('reports:owner') },
  ];
  const create = can('reports.create') && (
    <Button aria-keyshortcuts="n" onClick={() => setOpen(true)}>
      {t('reports:create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('reports:title')}>{create}</PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('reports:title')}
        columns={columns}
        list={list}
        control={control}
        actions={actions}
        actionsWidth={150}
        empty={
          <Empty
            icon={IconReport}
            title={t('reports:empty.title')}
            text={t('reports:empty.text')}
          />
        }
      />
      <Pager list={list} control={control} />
      <ReportDialog opened={isOpen} onClose={() => setOpen(false)} />
      <RemoveReport row={removed} onClose={() => setRemoved(null)} />
    </>
  );
}
