import {
  BILLING_SOURCES,
  BillingStatus,
  type Billing,
  type ReportWhere,
} from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../core/i18n/i18n.ts';
import { periodBounds } from '../../core/period.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import type { ListState } from '../../list/state/list-state.ts';
import { useMoved } from '../../list/state/use-moved.ts';
import { IconWallet, IconUpload } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PackagesSection } from '../packages/packages-section.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { CapsSection } from '../spend-caps/caps-section.tsx';
import { BillingBadge } from './billing-badge.tsx';
import { BillingTotals } from './billing-totals.tsx';
import { billingSpec } from './billings.api.ts';
import { EntryAmount } from './entry-amount.tsx';
import { sourceText, useSourceText } from './source-text.ts';

const BillingDialog = later(async () => (await import('./billing-dialog.tsx')).BillingDialog);

/** The ledger: what was added, charged and refunded, and why. */
export function BillingsPage() {
  const { t } = useTranslation();
  const page = useListPage(billingSpec);
  const columns = useBillingColumns();
  const fields = useBillingFilters();
  const { list, control } = page;
  const { state } = control;
  const query = useMemo(() => filterOf(state), [state]);
  const moved = useMoved(list, list.rows.map((row) => `${row.id}${row.status}`).join());
  return (
    <ListPage
      page={page}
      title={t('billings:title')}
      mark={<PeriodMark period={state.period} />}
      header={
        <>
          <OperationButton />
          <PackagesSection OwnerId={state.filters.OwnerId?.[0]} />
          <CapsSection OwnerId={state.filters.OwnerId?.[0]} />
          <ReportSection source="billings" where={reportWhere(state)} period={state.period} />
        </>
      }
      fields={fields}
      above={<BillingTotals query={query} moved={moved} />}
      columns={columns}
      empty={{ icon: IconWallet, title: t('billings:empty.title'), text: t('billings:empty.text') }}
    >
      <BillingDialog />
    </ListPage>
  );
}

const MANUAL = ['accrual', 'subtract'] as const;

/** Resellers and managers also filter by the types of messages. */
function useBillingFilters(): FilterField[] {
  const { t } = useTranslation();
  const can = useCan();
  const sources = can('billings.find', 'resellerUp') ? BILLING_SOURCES : MANUAL;
  return [
    { kind: 'search', label: t('billings:search') },
    manyField('status', t('billings:statusLabel'), BillingStatus.options, (value) =>
      t(`billings:status.${value}`),
    ),
    manyField('source', t('billings:sourceLabel'), sources, (value) => sourceText(t, value)),
    { kind: 'text', name: 'id', label: t('billings:id'), placeholder: t('billings:idHint') },
    { kind: 'period', label: t('billings:created') },
    { kind: 'owner', label: t('billings:owner') },
  ];
}

type Filtered = Pick<ListState, 'filters' | 'period' | 'search'>;

/** The filter of the list as that of its totals. A preset is counted back from the minute, so that the query stays the same in it. */
function filterOf({ filters: { status, source, id, OwnerId }, period, search }: Filtered) {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const { from, to } = (period && periodBounds(period, now)) || {};
  const at = (time: number) => new Date(time).toISOString();
  return {
    ...(search && { search }),
    filter: {
      ...(status && { status: status as Billing['status'][] }),
      ...(source && { source: source as Billing['source'][] }),
      ...(id && { id }),
      ...(OwnerId && { OwnerId: OwnerId[0]! }),
    },
    range: {
      createdAt: { ...(from && { $gt: at(from) }), ...(to && { $lt: at(to) }) },
    },
  };
}

/** The filter of the list as that of a report. */
function reportWhere({
  filters: { status, source, id, OwnerId },
  search,
}: Pick<ListState, 'filters' | 'search'>): ReportWhere {
  return {
    ...(search && { search }),
    ...(status && { status }),
    ...(source && { source: source as Billing['source'][] }),
    ...(id && { id }),
    ...(OwnerId && { OwnerId: OwnerId[0]! }),
  };
}

const OperationDialog = later(
  async () =>
    (
      await withTexts(
        ['operations', 'storage', 'tasks'],
        () => import('./operations/operation-dialog.tsx'),
      )
    ).OperationDialog,
);

/** Opens a bulk operation, for managers who may change the balances of their customers. */
function OperationButton() {
  const { t } = useTranslation();
  const can = useCan();
  const { processChildrenOperations } = useSettings().billings;
  const [opened, setOpened] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (!can('billings.generate', 'managerUp') || !processChildrenOperations) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => {
          setLoaded(true);
          setOpened(true);
        }}
      >
        {t('billings:operation')}
      </Button>
      {isLoaded && <OperationDialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}

function useBillingColumns(): GridColumn<Billing>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Billing>();
  const sourceText = useSourceText();
  return useMemo(
    (): GridColumn<Billing>[] => [
      {
        id: 'source',
        header: t('billings:sourceLabel'),
        cell: (row) => sourceText(row),
        card: 'title',
      },
      {
        id: 'amount',
        header: t('billings:amount'),
        cell: (row) => <EntryAmount entry={row} />,
        sortable: true,
        width: 150,
        align: 'end',
        card: 'end',
        isSensitive: true,
      },
      {
        id: 'status',
        header: t('billings:statusLabel'),
        cell: (row) => <BillingBadge status={row.status} />,
        width: 150,
        card: 'body',
      },
      ...owner,
      {
        id: 'comment',
        header: t('billings:comment'),
        cell: (row) => row.data.hidden?.comment,
        hideBelow: 'xl',
        isOptional: true,
        isSensitive: true,
      },
      timeColumn('createdAt', t('billings:created'), { width: 170, card: 'note' }),
    ],
    // The texts of sources change with the language, as `t` does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [t, owner],
  );
}
