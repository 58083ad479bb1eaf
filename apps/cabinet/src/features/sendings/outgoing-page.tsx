import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { ListPage } from '../../list/list-page.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { ListState } from '../../list/state/list-state.ts';
import { IconChecks, IconOutgoing } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { reportWhere } from './report-where.ts';
import { outgoingSpec } from './sendings.api.ts';
import { useOutgoingColumns } from './use-outgoing-columns.tsx';
import { useOutgoingFilters } from './use-outgoing-filters.ts';

const SendingDrawer = later(async () => (await import('./sending-drawer.tsx')).SendingDrawer);

export function OutgoingPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(outgoingSpec);
  const columns = useOutgoingColumns();
  const fields = useOutgoingFilters();
  const ids = useMemo(() => page.list.rows.map((row) => row.id), [page.list.rows]);
  return (
    <ListPage
      page={page}
      title={t('sendings:title')}
      fields={fields}
      header={
        <ReportSection where={reportWhere(page.control.state)} period={page.control.state.period} />
      }
      columns={columns}
      noResults={isQuietFailure(page.control.state) && <NothingFailed clear={page.control.clear} />}
      empty={{
        icon: IconOutgoing,
        title: t('sendings:empty.title'),
        text: t('sendings:empty.text'),
        action: can('sendings.generate') && (
          <Button component={Link} to="/send">
            {t('sendings:empty.action')}
          </Button>
        ),
      }}
    >
      <SendingDrawer ids={ids} />
    </ListPage>
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
