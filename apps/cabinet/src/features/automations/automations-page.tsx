import type { Automation } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconAutomation, IconPause, IconPlay, IconUsers } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { AutomationBadge, stateOf } from './automation-badge.tsx';
import { Then, When } from './automation-sentence.tsx';
import { automationSpec, useRemoveAutomation, useSetAutomation } from './automations.api.ts';

const AutomationDrawer = later(
  async () => (await import('./automation-drawer.tsx')).AutomationDrawer,
);
const PeopleDialog = later(async () => (await import('./people-dialog.tsx')).PeopleDialog);

const REMOVAL: Removal<Automation> = {
  can: ['automations.remove'],
  useChange: useRemoveAutomation,
  words: (t, { title }) => ({
    question: t('automations:removeQuestion', { title }),
    action: t('automations:remove', { title }),
    text: t('automations:removeText'),
  }),
};

/** `/messages/automations`: what happens by itself to people, as sentences. */
export function AutomationsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(automationSpec);
  const columns = useAutomationColumns();
  const [, setCreating] = useParam('create');
  const [followed, setFollowed] = useState<Automation | null>(null);
  const fields: FilterField[] = [
    { kind: 'period', label: t('automations:created') },
    { kind: 'owner', label: t('list:owner') },
  ];
  const actions = useCallback(
    (row: Automation) => <AutomationActions row={row} onFollow={setFollowed} />,
    [],
  );
  const create = can('automations.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('automations:create')}</CreateButton>
  );
  return (
    <ListPage
      page={page}
      title={t('automations:title')}
      fields={fields}
      create={create}
      rowTo={({ id }) => ({ search: `?id=${id}` })}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={150}
      empty={{
        icon: IconAutomation,
        title: t('automations:empty.title'),
        text: t('automations:empty.text'),
        action: create,
      }}
    >
      <AutomationDrawer />
      {followed && <PeopleDialog row={followed} onClose={() => setFollowed(null)} />}
    </ListPage>
  );
}

interface AutomationActionsProps {
  row: Automation;
  /** Shows its people. */
  onFollow: (row: Automation) => void;
}

function AutomationActions({ row, onFollow }: AutomationActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutate } = useSetAutomation();
  const { id, title, isActive, entered } = row;
  return (
    <>
      {entered > 0 && can('contacts.get') && (
        <IconAction
          icon={IconUsers}
          word="log"
          label={t('automations:people.of', { title })}
          onClick={() => onFollow(row)}
        />
      )}
      {can('automations.update') && (
        <IconAction
          icon={isActive ? IconPause : IconPlay}
          word={isActive ? 'pause' : 'turnOn'}
          label={t(isActive ? 'automations:pause' : 'automations:start', { title })}
          onClick={() => mutate({ id, isActive: !isActive })}
        />
      )}
    </>
  );
}

/** A sentence in a cell, which has one line otherwise. */
const WRAPPED = { whiteSpace: 'normal' } as const;

function useAutomationColumns(): GridColumn<Automation>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Automation>();
  return useMemo(
    (): GridColumn<Automation>[] => [
      {
        id: 'title',
        header: t('automations:name'),
        cell: (row) => (
          <Text size="sm" inherit lineClamp={2} title={row.title} style={WRAPPED}>
            {row.title}
          </Text>
        ),
        width: 190,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('automations:stateLabel'),
        cell: (row) => <State row={row} />,
        width: 150,
        card: 'body',
      },
      ...owner,
      {
        id: 'does',
        header: t('automations:does'),
        cell: (row) => (
          <>
            <Text size="sm" inherit style={WRAPPED}>
              <When row={row} />
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2} style={WRAPPED}>
              <Then row={row} />
            </Text>
          </>
        ),
        card: 'wide',
      },
      {
        id: 'people',
        header: t('automations:people.label'),
        cell: (row) => <People row={row} />,
        width: 150,
        card: 'wide',
      },
      timeColumn('createdAt', t('automations:created'), { width: 150, isOptional: true }),
    ],
    [t, owner],
  );
}

function State({ row }: { row: Automation }) {
  const { t } = useTranslation();
  return (
    <>
      <AutomationBadge state={stateOf(row)} />
      {row.reason && (
        <Text size="xs" c="dimmed" style={WRAPPED}>
          {t(`automations:why.${row.reason}`)}
        </Text>
      )}
    </>
  );
}

function People({ row }: { row: Automation }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { entered, done, stopped, left, failed } = row;
  return (
    <Text size="sm" inherit className="numeric" style={WRAPPED}>
      {t('automations:people.entered', { number: number(entered) })}
      {entered > 0 && (
        <Text span size="xs" c="dimmed" display="block">
          {t('automations:people.ended', { number: number(done + stopped + left + failed) })}
        </Text>
      )}
    </Text>
  );
}
