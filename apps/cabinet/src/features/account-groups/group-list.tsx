import type { Icon } from '@tabler/icons-react';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import type { ListPageState } from '../../list/state/use-list-page.ts';
import { useRemoval } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTrash } from '../../ui/icons.ts';
import { Time } from '../../ui/time.tsx';
import { useRemoveGroup, type AccountGroup, type Noun } from './account-groups.api.ts';

interface GroupListProps<T> {
  noun: Noun;
  icon: Icon;
  page: ListPageState<T>;
  /** The columns of the contents, beside the title and the number of accounts. */
  contents: GridColumn<T>[];
  /** The drawer of a group. */
  children: ReactNode;
}

/** The groups of one kind. */
export function GroupList<T extends AccountGroup>(props: GroupListProps<T>) {
  const { noun, icon, page, contents, children } = props;
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const [, setCreating] = useParam('create');
  const [askRemoval, removal] = useRemoval<T>(useRemoveGroup(noun), ({ title }) => ({
    question: t('accountGroups:removeQuestion', { title }),
    action: t('accountGroups:remove', { title }),
    text: t(`accountGroups:removeText.${noun}`),
  }));
  const columns = useMemo(
    (): GridColumn<T>[] => [
      {
        id: 'title',
        header: t('accountGroups:name'),
        cell: (row) => row.title,
        sortable: true,
        width: 220,
        card: 'title',
      },
      ...contents,
      {
        id: 'accounts',
        header: t('accountGroups:accounts'),
        cell: (row) => <span className="numeric">{formats.number(row.accounts)}</span>,
        align: 'end',
        width: 110,
        hideBelow: 'md',
      },
      {
        id: 'createdAt',
        header: t('accountGroups:created'),
        cell: (row) => <Time at={row.createdAt} />,
        sortable: true,
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      },
      {
        id: 'updatedAt',
        header: t('accountGroups:updated'),
        cell: (row) => <Time at={row.updatedAt} />,
        width: 150,
        isOptional: true,
        card: 'note',
      },
    ],
    [t, formats, contents],
  );
  const create = can(`${noun}.create`) && (
    <CreateButton onClick={() => setCreating('true')}>{t('accountGroups:create')}</CreateButton>
  );
  const mayRemove = can(`${noun}.remove`);
  const actions = useCallback(
    (row: T) => (
      <IconAction
        icon={IconTrash}
        word="remove"
        label={t('accountGroups:remove', { title: row.title })}
        onClick={() => askRemoval(row)}
      />
    ),
    [t, askRemoval],
  );
  return (
    <ListPage
      page={page}
      title={t(`accountGroups:title.${noun}`)}
      fields={[{ kind: 'search', label: t('accountGroups:search') }]}
      create={create}
      columns={columns}
      actions={mayRemove ? actions : undefined}
      actionsWidth={64}
      empty={{
        icon,
        title: t(`accountGroups:emptyTitle.${noun}`),
        text: t(`accountGroups:emptyText.${noun}`),
      }}
    >
      {removal}
      {children}
    </ListPage>
  );
}
