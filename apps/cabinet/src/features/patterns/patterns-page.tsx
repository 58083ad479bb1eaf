import { SendingType, type Pattern } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useRemoval } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPattern, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { useRemovePattern, patternSpec } from './patterns.api.ts';

const PatternDrawer = later(async () => (await import('./pattern-drawer.tsx')).PatternDrawer);

export function PatternsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(patternSpec);
  const columns = usePatternColumns();
  const [, setCreating] = useParam('create');
  const [askRemoval, removal] = useRemoval<Pattern>(useRemovePattern(), ({ title }) => ({
    question: t('patterns:removeQuestion', { title }),
    action: t('patterns:remove', { title }),
    text: t('patterns:removeText'),
  }));
  const fields: FilterField[] = [
    { kind: 'search', label: t('patterns:search') },
    manyField('type', t('patterns:type'), SendingType.options, (value) =>
      t(`common:type.${value}`),
    ),
    manyField('group', t('patterns:group'), TRAFFIC_GROUPS, (value) => t(`common:group.${value}`)),
    { kind: 'owner', label: t('patterns:owner') },
  ];
  const create = can('patterns.create') && (
    <CreateButton onClick={() => setCreating('true')}>{t('patterns:create')}</CreateButton>
  );
  const mayRemove = can('patterns.remove');
  const actions = useCallback(
    (row: Pattern) => (
      <RowActions>
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t('patterns:remove', { title: row.title })}
          onClick={() => askRemoval(row)}
        />
      </RowActions>
    ),
    [t, askRemoval],
  );
  return (
    <ListPage
      page={page}
      title={t('patterns:title')}
      fields={fields}
      create={create}
      columns={columns}
      actions={mayRemove ? actions : undefined}
      actionsWidth={64}
      empty={{
        icon: IconPattern,
        title: t('patterns:empty.title'),
        text: t('patterns:empty.text'),
      }}
    >
      {removal}
      <PatternDrawer />
    </ListPage>
  );
}

function usePatternColumns(): GridColumn<Pattern>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Pattern>();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('patterns:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 180,
        card: 'title',
      },
      {
        id: 'type',
        header: t('patterns:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 130,
        card: 'note',
      },
      {
        id: 'text',
        header: t('patterns:text'),
        cell: (row) => <span title={row.text}>{row.text}</span>,
        card: 'body',
      },
      ...owner,
      {
        id: 'group',
        header: t('patterns:group'),
        cell: (row) => t(`common:group.${row.group}`),
        width: 150,
        card: 'end',
      },
      {
        id: 'sender',
        header: t('patterns:sender'),
        cell: (row) => row.sender ?? t('patterns:anySender'),
        width: 130,
        hideBelow: 'xl',
        card: 'note',
      },
      {
        id: 'mccmnc',
        header: t('patterns:network'),
        cell: (row) => row.mccmnc ?? t('patterns:allNetworks'),
        width: 110,
        hideBelow: 'xl',
      },
      {
        id: 'createdAt',
        header: t('patterns:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'updatedAt',
        header: t('patterns:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        sortable: true,
        width: 160,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, owner],
  );
}
