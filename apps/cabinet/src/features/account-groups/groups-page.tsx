import type { MessageRuleGroup, RoutingGroup, SendingType } from '@heliograph/contract';
import type { Icon } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage, type ListPageState } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconRoute, IconRules } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import {
  messageRuleGroupSpec,
  routingGroupSpec,
  useRemoveGroup,
  type AccountGroup,
  type Noun,
} from './account-groups.api.ts';

const RoutingGroupDrawer = later(
  async () => (await import('./routing-group-drawer.tsx')).RoutingGroupDrawer,
);

export function RoutingGroupsPage() {
  const { t } = useTranslation();
  const page = useListPage(routingGroupSpec);
  const contents = useMemo(
    (): GridColumn<RoutingGroup>[] => [
      {
        id: 'routes',
        header: t('accountGroups:routes'),
        cell: ({ routes }) => {
          const routesText = routes
            .map(({ type, ChannelId }) => `${t(`common:type.${type}`)} → ${ChannelId}`)
            .join(', ');
          return <span title={routesText}>{routesText}</span>;
        },
        card: 'wide',
      },
    ],
    [t],
  );
  return (
    <GroupList noun="routingGroups" icon={IconRoute} page={page} contents={contents}>
      <RoutingGroupDrawer />
    </GroupList>
  );
}

const MessageRuleGroupDrawer = later(
  async () => (await import('./message-rule-group-drawer.tsx')).MessageRuleGroupDrawer,
);

export function MessageRuleGroupsPage() {
  const { t } = useTranslation();
  const page = useListPage(messageRuleGroupSpec);
  const contents = useMemo((): GridColumn<MessageRuleGroup>[] => {
    const names = (types: SendingType[]) => {
      const typesText = types.map((type) => t(`common:type.${type}`)).join(', ') || '—';
      return <span title={typesText}>{typesText}</span>;
    };
    return [
      {
        id: 'types',
        header: t('accountGroups:types'),
        cell: ({ rules }) => (rules.types ? names(rules.types) : t('accountGroups:allTypes')),
        card: 'wide',
      },
      {
        id: 'sendernamesCheck',
        header: t('accountGroups:checks'),
        cell: ({ rules }) => names(rules.sendernamesCheck ?? []),
        hideBelow: 'md',
      },
    ];
  }, [t]);
  return (
    <GroupList noun="messageRuleGroups" icon={IconRules} page={page} contents={contents}>
      <MessageRuleGroupDrawer />
    </GroupList>
  );
}

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
function GroupList<T extends AccountGroup>(props: GroupListProps<T>) {
  const { noun, icon, page, contents, children } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const removal = useMemo(
    (): Removal<T> => ({
      can: [`${noun}.remove`],
      useChange: () => useRemoveGroup(noun),
      words: (t, { title }) => ({
        question: t('accountGroups:removeQuestion', { title }),
        action: t('accountGroups:remove', { title }),
        text: t(`accountGroups:removeText.${noun}`),
      }),
    }),
    [noun],
  );
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
      timeColumn('createdAt', t('accountGroups:created'), {
        width: 150,
        hideBelow: 'lg',
        card: 'note',
      }),
      timeColumn('updatedAt', t('accountGroups:updated'), {
        sortable: false,
        width: 150,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t, formats, contents],
  );
  const create = useCreateButton(t('accountGroups:create'), `${noun}.create`);
  return (
    <ListPage
      page={page}
      title={t(`accountGroups:title.${noun}`)}
      fields={[{ kind: 'search', label: t('accountGroups:search') }]}
      create={create}
      columns={columns}
      removal={removal}
      empty={{
        icon,
        title: t(`accountGroups:emptyTitle.${noun}`),
        text: t(`accountGroups:emptyText.${noun}`),
      }}
    >
      {children}
    </ListPage>
  );
}
