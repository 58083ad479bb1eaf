import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useMoved } from '../../list/state/use-moved.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconWallet } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { OperationButton } from './operations/operation-button.tsx';
import { CapsSection } from '../spend-caps/caps-section.tsx';
import { billingSpec } from './billings.api.ts';
import { BillingTotals } from './billing-totals.tsx';
import { filterOf, reportWhere } from './billing-query.ts';
import { useBillingColumns } from './use-billing-columns.tsx';
import { useBillingFilters } from './use-billing-filters.ts';

const BillingDialog = later(async () => (await import('./billing-dialog.tsx')).BillingDialog);

/** The ledger: what was added, charged and refunded, and why. */
export function BillingsPage() {
  const { t } = useTranslation();
  const control = useListState(billingSpec);
  const list = useList(billingSpec, control);
  const columns = useBillingColumns();
  const rowTo = useRowLink();
  const fields = useBillingFilters();
  const { state } = control;
  const query = useMemo(() => filterOf(state), [state]);
  const moved = useMoved(list, list.rows.map((row) => `${row.id}${row.status}`).join());
  return (
    <>
      <PageHeader title={t('billings:title')} mark={<PeriodMark period={state.period} />}>
        <OperationButton />
        <CapsSection OwnerId={state.filters.OwnerId?.[0]} />
        <ReportSection source="billings" where={reportWhere(state)} period={state.period} />
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <BillingTotals query={query} moved={moved} />
      <DataGrid
        caption={t('billings:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        empty={
          <Empty
            icon={IconWallet}
            title={t('billings:empty.title')}
            text={t('billings:empty.text')}
          />
        }
      />
      <Pager list={list} control={control} />
      <BillingDialog />
    </>
  );
}
