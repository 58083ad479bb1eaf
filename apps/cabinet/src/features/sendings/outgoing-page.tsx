import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import { Pager } from '../../list/grid/pager.tsx';
import type { ListState } from '../../list/state/list-state.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconChecks, IconOutgoing } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { reportWhere } from './report-where.ts';
import { outgoingSpec } from './sendings.api.ts';
import { useOutgoingColumns } from './use-outgoing-columns.tsx';
import { useOutgoingFilters } from './use-outgoing-filters.ts';

const SendingDrawer = later(async () => (await import('./sending-drawer.tsx')).SendingDrawer);

export function OutgoingPage() {
  const { t } = useTranslation();
  const can = useCan();
  const control = useListState(outgoingSpec);
  const list = useList(outgoingSpec, control);
  const columns = useOutgoingColumns();
  const rowTo = useRowLink();
  const fields = useOutgoingFilters();
  const ids = useMemo(() => list.rows.map((row) => row.id), [list.rows]);
  return (
    <>
      <PageHeader title={t('sendings:title')}>
        <ReportSection where={reportWhere(control.state)} period={control.state.period} />
      </PageHeader>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('sendings:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        noResults={isQuietFailure(control.state) && <NothingFailed clear={control.clear} />}
        empty={
          <Empty
            icon={IconOutgoing}
            title={t('sendings:empty.title')}
            text={t('sendings:empty.text')}
          >
            {can('sendings.generate') && (
              <Button component={Link} to="/send">
                {t('sendings:empty.action')}
              </Button>
            )}
          </Empty>
        }
      />
      <Pager list={list} control={control} />
      <SendingDrawer ids={ids} />
    </>
  );
}

/** True when the list is filtered by failures: an empty result is then good news. */
const isQuietFailure = ({ filters: { status, outcome } }: ListState) =>
  [status, outcome].some((asked) => asked?.length === 1 && asked[0] === 'failed');

function NothingFailed({ clear }: { clear: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty
      icon={IconChecks}
      title={t('sendings:noFailures.title')}
      text={t('sendings:noFailures.text')}
    >
      <Button variant="default" onClick={clear}>
        {t('list:clearFilters')}
      </Button>
    </Empty>
  );
}
