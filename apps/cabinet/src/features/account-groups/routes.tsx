import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const accountGroupRoutes: RouteObject[] = [
  page({
    path: '/routingGroups',
    title: 'accountGroups:title.routingGroups',
    namespaces: ['accountGroups'],
    load: async () => ({
      Component: (await import('./routing-groups-page.tsx')).RoutingGroupsPage,
    }),
  }),
  page({
    path: '/messageRuleGroups',
    title: 'accountGroups:title.messageRuleGroups',
    namespaces: ['accountGroups'],
    load: async () => ({
      Component: (await import('./message-rule-groups-page.tsx')).MessageRuleGroupsPage,
    }),
  }),
];
