import type { FieldCondition, Segment, SegmentRules } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { CreateButton } from '../../../list/create-button.tsx';
import type { FilterField } from '../../../list/filters/filter-field.ts';
import { timeColumn } from '../../../list/grid/columns.tsx';
import type { GridColumn } from '../../../list/grid/grid-column.ts';
import { ListPage } from '../../../list/list-page.tsx';
import { useListPage } from '../../../list/state/use-list-page.ts';
import type { Removal } from '../../../list/use-removal.tsx';
import { IconAction } from '../../../ui/icon-action.tsx';
import { IconContacts, IconEdit } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { useFieldName, useNamedField } from '../../../ui/use-field-name.ts';
import { contactListQuery } from '../contact-lists.api.ts';
import { ContactTabs } from '../contact-tabs.tsx';
import { SegmentCount } from './segment-count-meter.tsx';
import type { SegmentDraft } from './segment-dialog.tsx';
import { segmentSpec, useRemoveSegment } from './segments.api.ts';

const SegmentDialog = later(async () => (await import('./segment-dialog.tsx')).SegmentDialog);

const REMOVAL: Removal<Segment> = {
  can: ['contactLists.remove'],
  useChange: useRemoveSegment,
  words: (t, { title }) => ({
    question: t('contactLists:removeQuestion', { title }),
    action: t('contactLists:remove', { title }),
    text: t('contactLists:segments.removeText'),
  }),
};

/** Saved filters of contacts, each with the number of its contacts now. */
export function SegmentsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(segmentSpec);
  const columns = useSegmentColumns();
  const [draft, setDraft] = useState<SegmentDraft | null>(null);
  const fields: FilterField[] = [
    { kind: 'search', label: t('contactLists:search') },
    { kind: 'owner', label: t('contactLists:owner') },
  ];
  const mayUpdate = can('contactLists.update');
  const actions = useCallback(
    (row: Segment) =>
      mayUpdate && (
        <IconAction
          icon={IconEdit}
          word="edit"
          label={t('contactLists:segments.edit', { title: row.title })}
          shortcut="e"
          onClick={() => setDraft(row)}
        />
      ),
    [mayUpdate, t],
  );
  return (
    <ListPage
      page={page}
      title={t('contactLists:segments.title')}
      intro={<ContactTabs />}
      fields={fields}
      create={
        can('contactLists.create') && (
          <CreateButton onClick={() => setDraft({ where: {}, activity: [] })}>
            {t('contactLists:segments.create')}
          </CreateButton>
        )
      }
      rowTo={null}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={100}
      empty={{
        icon: IconContacts,
        title: t('contactLists:segments.emptyTitle'),
        text: t('contactLists:segments.emptyText'),
      }}
    >
      <SegmentDialog draft={draft} onClose={() => setDraft(null)} />
    </ListPage>
  );
}

function useSegmentColumns(): GridColumn<Segment>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Segment>[] => [
      {
        id: 'title',
        header: t('contactLists:name'),
        cell: (row) => <span title={row.title}>{row.title}</span>,
        sortable: true,
        card: 'title',
      },
      {
        id: 'rules',
        header: t('contactLists:segments.rules'),
        cell: (row) => <Rules rules={row} />,
      },
      {
        id: 'count',
        header: t('contactLists:count'),
        cell: (row) => <SegmentCount id={row.id} />,
        width: 140,
        align: 'end',
      },
      timeColumn('updatedAt', t('contactLists:updated'), { width: 160, hideBelow: 'md' }),
      timeColumn('createdAt', t('contactLists:created'), { width: 160, isOptional: true }),
    ],
    [t],
  );
}

type Activity = SegmentRules['activity'][number];

/** "Regulars · Tag: vip · no reply for 90 days", and without conditions "All contacts". */
function Rules({ rules: { where, activity } }: { rules: SegmentRules }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { ListId, tag, search, createdAt, fields = [] } = where;
  const nameOf = useFieldName();
  const namedOf = useNamedField();
  const { data: list, isError } = useQuery({
    ...contactListQuery(ListId ?? ''),
    enabled: !!ListId,
  });
  const activityText = ({ event, happened, days: count }: Activity) =>
    happened
      ? t(`contactLists:segments.within.${event}`, { count })
      : t(`contactLists:segments.without.${event}`, { count });
  const valueText = (field: string, value: string) =>
    namedOf(field)?.type === 'boolean' && (value === 'true' || value === 'false')
      ? t(`contactLists:boolean.${value}`)
      : value;
  /** "Sum > 1,000", "Until: in at most 7 days", "Level = Gold, Silver" */
  const fieldText = (one: FieldCondition) => {
    const name = nameOf(one.field);
    const test = t(`contactLists:segments.tests.${one.is}`);
    if ('value' in one) return `${name} = ${one.value}${one.is === 'begins' ? '…' : ''}`;
    if ('values' in one)
      return `${name} = ${one.values.map((value) => valueText(one.field, value)).join(', ')}`;
    if ('number' in one)
      return `${name} ${one.is === 'greater' ? '>' : '<'} ${formats.number(one.number)}`;
    if ('from' in one) return `${name}: ${formats.number(one.from)} – ${formats.number(one.to)}`;
    if ('day' in one) return `${name} ${one.is === 'after' ? '>' : '<'} ${formats.day(one.day)}`;
    if ('days' in one) return `${name}: ${test.replace('…', formats.number(one.days))}`;
    return `${name}: ${test}`;
  };
  return (
    [
      ListId && (list?.title ?? (isError ? '–' : '…')),
      tag && t('contactLists:segments.byTag', { tag }),
      search && t('contactLists:segments.bySearch', { search }),
      createdAt?.$gt &&
        t('contactLists:segments.since', { time: formats.day(createdAt.$gt.slice(0, 10)) }),
      createdAt?.$lt &&
        t('contactLists:segments.before', { time: formats.day(createdAt.$lt.slice(0, 10)) }),
      ...fields.map(fieldText),
      ...activity.map(activityText),
    ]
      .filter(Boolean)
      .join(' · ') || t('contactLists:segments.all')
  );
}
