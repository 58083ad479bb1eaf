import type { RecurringSending } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useMayOpen } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconPause, IconPlay, IconRepeat, IconTasks } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Audience } from './audience.tsx';
import { RecurringBadge } from './recurring-badge.tsx';
import { stateOf, whenText } from './recurring-text.ts';
import { recurringSpec, useRemoveRecurring, useSetRecurring } from './recurring-sendings.api.ts';
import { RunResult } from './run-result.tsx';

const RecurringDialog = later(async () => (await import('./recurring-dialog.tsx')).RecurringDialog);
const RunsDialog = later(async () => (await import('./runs-dialog.tsx')).RunsDialog);

const REMOVAL: Removal<RecurringSending> = {
  can: ['tasks.remove'],
  useChange: useRemoveRecurring,
  words: (t, { title }) => ({
    question: t('recurringSendings:removeQuestion', { title }),
    action: t('recurringSendings:remove', { title }),
    text: t('recurringSendings:removeText'),
  }),
};

/** `/messages/recurring`: the bulks that are sent again and again. They begin on the page of a bulk. */
export function RecurringSendingsPage() {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const page = useListPage(recurringSpec);
  const columns = useRecurringColumns();
  const [edited, setEdited] = useState<RecurringSending | null>(null);
  const [followed, setFollowed] = useState<RecurringSending | null>(null);
  const fields: FilterField[] = [
    { kind: 'period', label: t('recurringSendings:created') },
    { kind: 'owner', label: t('list:owner') },
  ];
  const actions = useCallback(
    (row: RecurringSending) => (
      <RecurringActions row={row} onEdit={setEdited} onFollow={setFollowed} />
    ),
    [],
  );
  return (
    <ListPage
      page={page}
      title={t('recurringSendings:title')}
      fields={fields}
      rowTo={null}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={190}
      empty={{
        icon: IconRepeat,
        title: t('recurringSendings:empty.title'),
        text: t('recurringSendings:empty.text'),
        action: mayOpen('/messages/tasks') && (
          <Button component={Link} to="/messages/tasks">
            {t('recurringSendings:empty.action')}
          </Button>
        ),
      }}
    >
      {edited && <RecurringDialog row={edited} onClose={() => setEdited(null)} />}
      {followed && <RunsDialog row={followed} onClose={() => setFollowed(null)} />}
    </ListPage>
  );
}

interface RecurringActionsProps {
  row: RecurringSending;
  onEdit: (row: RecurringSending) => void;
  /** Shows its runs. */
  onFollow: (row: RecurringSending) => void;
}

/** A pause needs no permission to send. One that has ended goes on with other times. */
function RecurringActions({ row, onEdit, onFollow }: RecurringActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutate } = useSetRecurring();
  const { id, title, isActive, reason, lastRun } = row;
  const mayUpdate = can('tasks.update');
  const maySend = mayUpdate && can('sendings.generate');
  return (
    <>
      {lastRun && (
        <IconAction
          icon={IconTasks}
          word="log"
          label={t('recurringSendings:log', { title })}
          onClick={() => onFollow(row)}
        />
      )}
      {(isActive ? mayUpdate : maySend && reason !== 'ended') && (
        <IconAction
          icon={isActive ? IconPause : IconPlay}
          word={isActive ? 'pause' : 'resume'}
          label={t(isActive ? 'recurringSendings:pause' : 'recurringSendings:resume', { title })}
          onClick={() => mutate({ id, isActive: !isActive })}
        />
      )}
      {maySend && (
        <IconAction
          icon={IconEdit}
          word="edit"
          label={t('recurringSendings:edit', { title })}
          shortcut="e"
          onClick={() => onEdit(row)}
        />
      )}
    </>
  );
}

/** A sentence in a cell, which has one line otherwise. */
const WRAPPED = { whiteSpace: 'normal' } as const;

function useRecurringColumns(): GridColumn<RecurringSending>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<RecurringSending>();
  return useMemo(
    (): GridColumn<RecurringSending>[] => [
      {
        id: 'title',
        header: t('recurringSendings:name'),
        cell: (row) => (
          <>
            <Text size="sm" inherit lineClamp={2} title={row.title} style={WRAPPED}>
              {row.title}
            </Text>
            <Text size="xs" c="dimmed" truncate component="div">
              <Audience row={row} />
            </Text>
          </>
        ),
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('recurringSendings:stateLabel'),
        cell: (row) => <State row={row} />,
        width: 210,
        card: 'body',
      },
      ...owner,
      {
        id: 'when',
        header: t('recurringSendings:whenLabel'),
        cell: (row) => <When row={row} />,
        card: 'wide',
      },
      timeColumn('nextRunAt', t('recurringSendings:next'), { width: 140 }),
      {
        id: 'lastRun',
        header: t('recurringSendings:last'),
        cell: (row) => row.lastRun && <RunResult run={row.lastRun} />,
        width: 140,
        hideBelow: 'lg',
        card: 'wide',
      },
      timeColumn('createdAt', t('recurringSendings:created'), { width: 150, isOptional: true }),
    ],
    [t, owner],
  );
}

function State({ row }: { row: RecurringSending }) {
  const { t } = useTranslation();
  const state = stateOf(row);
  return (
    <>
      <RecurringBadge state={state} />
      {(state === 'failed' || state === 'forbidden') && (
        <Text size="xs" c="dimmed" style={WRAPPED}>
          {t(`recurringSendings:why.${state}`)}
        </Text>
      )}
    </>
  );
}

/** The rule in words, and its limits. */
function When({ row }: { row: RecurringSending }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const { from, until, times, runs } = row;
  const limits = [
    from && t('recurringSendings:since', { day: formats.day(from) }),
    until && t('recurringSendings:upTo', { day: formats.day(until) }),
    times !== null &&
      t('recurringSendings:sent', { runs: formats.number(runs), times: formats.number(times) }),
  ].filter(Boolean);
  return (
    <>
      <Text size="sm" inherit style={WRAPPED}>
        {whenText(t, i18n.language, row)}
      </Text>
      {limits.length > 0 && (
        <Text size="xs" c="dimmed" style={WRAPPED}>
          {limits.join(' · ')}
        </Text>
      )}
    </>
  );
}
