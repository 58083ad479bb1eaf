import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const automationRoutes: RouteObject[] = [
  page({
    path: '/messages/automations',
    title: 'automations:title',
    namespaces: ['automations', 'contactLists', 'sendernames'],
    load: async () => ({ Component: (await import('./automations-page.tsx')).AutomationsPage }),
  }),
];
