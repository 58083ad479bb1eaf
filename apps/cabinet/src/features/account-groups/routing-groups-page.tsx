import type { RoutingGroup } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { IconRoute } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { routingGroupSpec } from './account-groups.api.ts';
import { GroupList } from './group-list.tsx';

const RoutingGroupDrawer = later(
  async () => (await import('./routing-group-drawer.tsx')).RoutingGroupDrawer,
);

export function RoutingGroupsPage() {
  const { t } = useTranslation();
  const control = useListState(routingGroupSpec);
  const list = useList(routingGroupSpec, control);
  const contents = useMemo(
    (): GridColumn<RoutingGroup>[] => [
      {
        id: 'routes',
        header: t('accountGroups:routes'),
        cell: ({ routes }) => {
          const said = routes
            .map(({ type, ChannelId }) => `${t(`common:type.${type}`)} → ${ChannelId}`)
            .join(', ');
          return <span title={said}>{said}</span>;
        },
        card: 'wide',
      },
    ],
    [t],
  );
  return (
    <>
      <GroupList
        noun="routingGroups"
        icon={IconRoute}
        control={control}
        list={list}
        contents={contents}
      />
      <RoutingGroupDrawer />
    </>
  );
}
