import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const accountGroupRoutes: RouteObject[] = [
  page({
    path: '/routingGroups',
    title: 'accountGroups:title.routingGroups',
    namespaces: ['accountGroups'],
    load: async () => ({
      Component: (await import('./groups-page.tsx')).RoutingGroupsPage,
    }),
  }),
  page({
    path: '/messageRuleGroups',
    title: 'accountGroups:title.messageRuleGroups',
    namespaces: ['accountGroups'],
    load: async () => ({
      Component: (await import('./groups-page.tsx')).MessageRuleGroupsPage,
    }),
  }),
];
