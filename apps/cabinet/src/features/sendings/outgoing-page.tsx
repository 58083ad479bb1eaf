import { type ReportWhere, Outcome, Status } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { ListPage } from '../../list/list-page.tsx';
import type { ListState } from '../../list/state/list-state.ts';
import { useListPage } from '../../list/state/use-list-page.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconChecks, IconOutgoing } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { taskQuery } from '../tasks/tasks.api.ts';
import { outgoingSpec } from './sendings.api.ts';
import { useOutgoingColumns } from './use-outgoing-columns.tsx';

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
        taskId ? { to: `/messages/tasks/${taskId}`, label: t('sendings:backToTask') } : undefined
      }
      fields={fields}
      header={
        <ReportSection
          where={reportWhere(state)}
          period={state.period}
          since={task && (task.startedAt ?? task.createdAt)}
        />
      }
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

/** The filter of the list of messages as that of a report. Links of other pages set filters that reports do not have. */
function reportWhere({ filters }: Pick<ListState, 'filters'>): ReportWhere {
  const { updatedAt: _, mccmnc: _m, country: _c, sender: _s, TokenId: _t, live, ...own } = filters;
  return {
    ...Object.fromEntries(
      Object.entries(own).map(([name, values]) => [
        name,
        LIST_FILTERS.includes(name) ? values : values[0],
      ]),
    ),
    ...(live && { live: live[0] === 'true' }),
  };
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
    manyField('status', t('sendings:status'), Status.options, (value) =>
      t(`common:status.${value}`),
    ),
    manyField('outcome', t('sendings:outcomeLabel'), Outcome.options, (value) =>
      t(`sendings:outcome.${value}`),
    ),
    manyField('type', t('sendings:type'), sendings.types, (value) => t(`common:type.${value}`)),
    { kind: 'period', label: t('sendings:period'), maxDays: sendings.range },
    { kind: 'owner', label: t('sendings:owner') },
    {
      kind: 'one',
      name: 'live',
      label: t('sendings:tests.label'),
      options: [
        { value: 'false', label: t('sendings:tests.only') },
        { value: 'true', label: t('sendings:tests.without') },
      ],
    },
    { kind: 'givenPeriod', name: 'updatedAt', label: t('sendings:changed') },
    { kind: 'given', name: 'mccmnc', label: t('sendings:oneOperator') },
    { kind: 'given', name: 'country', label: t('sendings:oneCountry') },
    { kind: 'given', name: 'sender', label: t('sendings:oneSender') },
    { kind: 'given', name: 'TokenId', label: t('sendings:oneToken') },
    {
      kind: 'given',
      name: 'groupId',
      label: task ? t('sendings:ofTask', { title: task }) : t('sendings:oneTask'),
    },
  ];
}
