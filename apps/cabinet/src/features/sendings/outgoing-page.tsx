import { type ReportWhere, Outcome, Status, type Sending } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import type { ListState } from '../../list/state/list-state.ts';
import { useListPage } from '../../list/state/use-list-page.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconChecks, IconOutgoing } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { taskQuery } from '../tasks/tasks.api.ts';
import { SendingBadge } from './sending-badge.tsx';
import { outgoingSpec } from './sendings.api.ts';

const SendingDrawer = later(async () => (await import('./sending-drawer.tsx')).SendingDrawer);

export function OutgoingPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(outgoingSpec);
  const { state } = page.control;
  const isFailed = isOfFailures(state);
  const columns = useOutgoingColumns(isFailed);
  const [taskId] = can('tasks.get') ? (state.filters.groupId ?? []) : [];
  const { data: task } = useQuery({ ...taskQuery(taskId ?? ''), enabled: !!taskId });
  const fields = useOutgoingFilters(task?.title);
  const ids = useMemo(() => page.list.rows.map((row) => row.id), [page.list.rows]);
  return (
    <ListPage
      page={page}
      title={t('sendings:title')}
      back={
        taskId ? { to: `/messages/tasks?id=${taskId}`, label: t('sendings:backToTask') } : undefined
      }
      fields={fields}
      header={<ReportSection where={reportWhere(state)} period={state.period} />}
      columns={columns}
      noResults={isFailed && <NothingFailed clear={page.control.clear} />}
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

/** True when the list is filtered by failures: their reasons are shown, and an empty result is good news. */
const isOfFailures = ({ filters: { status, outcome } }: ListState) =>
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

const LIST_FILTERS = ['status', 'outcome', 'type'];

/** The filter of the list of messages as that of a report. The time of the last change is no filter of reports. */
function reportWhere({ filters }: Pick<ListState, 'filters'>): ReportWhere {
  const { updatedAt: _, ...own } = filters;
  return Object.fromEntries(
    Object.entries(own).map(([name, values]) => [
      name,
      LIST_FILTERS.includes(name) ? values : values[0],
    ]),
  );
}

/** `task`: the title of the one whose messages are shown. */
function useOutgoingFilters(task: string | undefined): FilterField[] {
  const { t } = useTranslation();
  const { sendings } = useSettings();
  return [
    {
      kind: 'text',
      name: 'recipient',
      label: t('sendings:recipient'),
      placeholder: t('sendings:recipientHint'),
    },
    {
      kind: 'many',
      name: 'status',
      label: t('sendings:status'),
      options: Status.options.map((value) => ({ value, label: t(`common:status.${value}`) })),
    },
    {
      kind: 'many',
      name: 'outcome',
      label: t('sendings:outcomeLabel'),
      options: Outcome.options.map((value) => ({ value, label: t(`sendings:outcome.${value}`) })),
    },
    {
      kind: 'many',
      name: 'type',
      label: t('sendings:type'),
      options: sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) })),
    },
    { kind: 'period', label: t('sendings:period'), maxDays: sendings.range },
    { kind: 'owner', label: t('sendings:owner') },
    { kind: 'givenPeriod', name: 'updatedAt', label: t('sendings:changed') },
    {
      kind: 'given',
      name: 'groupId',
      label: task ? t('sendings:ofTask', { title: task }) : t('sendings:oneTask'),
    },
  ];
}

/** `isFailed`: the list is of failures, whose reason is then shown without being asked for. */
function useOutgoingColumns(isFailed: boolean): GridColumn<Sending>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Sending>();
  return useMemo(() => {
    const columns: GridColumn<Sending>[] = [
      {
        id: 'createdAt',
        header: t('sendings:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        card: 'note',
      },
      {
        id: 'type',
        header: t('sendings:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 110,
        card: 'note',
      },
      {
        id: 'sender',
        header: t('sendings:sender'),
        cell: (row) => row.payload.sender,
        width: 130,
        isSensitive: true,
        // An owner takes its place where there is one.
        hideBelow: owner.length ? 'xl' : 'lg',
        card: 'note',
      },
      {
        id: 'recipient',
        header: t('sendings:recipient'),
        cell: (row) => <span className="numeric">{row.recipient}</span>,
        width: 145,
        card: 'title',
        isSensitive: true,
      },
      {
        id: 'text',
        header: t('sendings:text'),
        cell: (row) => row.payload.text ?? '',
        isSensitive: true,
        card: 'body',
      },
      {
        id: 'status',
        header: t('sendings:status'),
        cell: (row) => <SendingBadge {...row} />,
        width: 150,
        card: 'end',
      },
      {
        id: 'price',
        header: t('sendings:price'),
        cell: ({ meta, Owner }) =>
          meta.billing && (
            <Money
              value={Math.abs(meta.billing.amount)}
              currency={Owner?.currency}
              refunded={meta.billing.refunded && t('common:refunded')}
            />
          ),
        width: 95,
        align: 'end',
        card: 'note',
        isSensitive: true,
      },
      {
        id: 'segments',
        header: t('sendings:segments'),
        cell: ({ meta }) => <span className="numeric">{meta.stats.segments}</span>,
        width: 90,
        align: 'end',
        isOptional: true,
      },
      {
        id: 'operator',
        header: t('sendings:operator'),
        cell: ({ meta }) => meta.operator?.name ?? '',
        width: 130,
        isOptional: true,
        isSensitive: true,
      },
      {
        id: 'error',
        header: t('sendings:errorLabel'),
        cell: ({ state }) =>
          state.code && t(`sendings:error.${state.code}`, { defaultValue: state.error ?? '' }),
        width: 240,
        isOptional: !isFailed,
      },
    ];
    columns.splice(3, 0, ...owner);
    return columns;
  }, [t, owner, isFailed]);
}
