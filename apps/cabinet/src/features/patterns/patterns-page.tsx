import { SendingType, type Pattern } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPattern, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { patternSpec } from './patterns.api.ts';
import { usePatternColumns } from './use-pattern-columns.tsx';

const PatternDrawer = later(async () => (await import('./pattern-drawer.tsx')).PatternDrawer);
const RemovePattern = later(async () => (await import('./remove-pattern.tsx')).RemovePattern);

export function PatternsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(patternSpec);
  const columns = usePatternColumns();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<Pattern | null>(null);
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
          onClick={() => setRemoving(row)}
        />
      </RowActions>
    ),
    [t],
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
      <RemovePattern row={removing} onClose={() => setRemoving(null)} />
      <PatternDrawer />
    </ListPage>
  );
}
