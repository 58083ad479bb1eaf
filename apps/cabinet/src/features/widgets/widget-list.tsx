import { useCallback, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage, type ListPageProps } from '../../list/list-page.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTrash } from '../../ui/icons.ts';

interface NamedRow {
  id: string;
  name: string;
}
interface WidgetListProps<T extends NamedRow> extends ListPageProps<T> {
  area: 'widgets' | 'otp-settings';
  /** What the main button says. */
  createLabel: string;
  RemoveDialog: ComponentType<{ row: T | null; onClose: () => void }>;
}

/** A tab of one-time codes: a list whose rows can be removed, with a button for a new one. */
export function WidgetList<T extends NamedRow>(props: WidgetListProps<T>) {
  const { area, createLabel, RemoveDialog, children, ...list } = props;
  const { t } = useTranslation();
  const can = useCan();
  const [, setCreating] = useParam('create');
  const [removing, setRemoving] = useState<T | null>(null);
  const mayRemove = can(`${area}.remove`);
  const actions = useCallback(
    (row: T) => (
      <RowActions>
        {mayRemove && (
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('widgets:remove', { name: row.name })}
            onClick={() => setRemoving(row)}
          />
        )}
      </RowActions>
    ),
    [t, mayRemove],
  );
  return (
    <ListPage
      {...list}
      create={
        can(`${area}.create`) && (
          <CreateButton onClick={() => setCreating('true')}>{createLabel}</CreateButton>
        )
      }
      actions={actions}
      actionsWidth={70}
    >
      {children}
      <RemoveDialog row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
