import type { RoutingGroup } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { IconRoute } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { routingGroupSpec } from './account-groups.api.ts';
import { GroupList } from './group-list.tsx';

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
