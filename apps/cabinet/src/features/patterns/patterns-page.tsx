import { SendingType, type Pattern } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useOwnerColumn } from '../../list/grid/use-owner-column.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconPattern } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { useRemovePattern, patternSpec } from './patterns.api.ts';

const PatternDrawer = later(async () => (await import('./pattern-drawer.tsx')).PatternDrawer);

const REMOVAL: Removal<Pattern> = {
  can: ['patterns.remove'],
  useChange: useRemovePattern,
  words: (t, { title }) => ({
    question: t('patterns:removeQuestion', { title }),
    action: t('patterns:remove', { title }),
    text: t('patterns:removeText'),
  }),
};

export function PatternsPage() {
  const { t } = useTranslation();
  const page = useListPage(patternSpec);
  const columns = usePatternColumns();
  const fields: FilterField[] = [
    { kind: 'search', label: t('patterns:search') },
    manyField('type', t('patterns:type'), SendingType.options, (value) =>
      t(`common:type.${value}`),
    ),
    manyField('group', t('patterns:group'), TRAFFIC_GROUPS, (value) => t(`common:group.${value}`)),
    { kind: 'owner', label: t('patterns:owner') },
  ];
  const create = useCreateButton(t('patterns:create'), 'patterns.create');
  return (
    <ListPage
      page={page}
      title={t('patterns:title')}
      fields={fields}
      create={create}
      columns={columns}
      removal={REMOVAL}
      empty={{
        icon: IconPattern,
        title: t('patterns:empty.title'),
        text: t('patterns:empty.text'),
      }}
    >
      <PatternDrawer />
    </ListPage>
  );
}

function usePatternColumns(): GridColumn<Pattern>[] {
  const { t } = useTranslation();
  const owner = useOwnerColumn<Pattern>();
  return useMemo(
    (): GridColumn<Pattern>[] => [
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
      timeColumn('createdAt', t('patterns:created'), { width: 150, hideBelow: 'lg', card: 'note' }),
      timeColumn('updatedAt', t('patterns:updated'), {
        width: 160,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t, owner],
  );
}
