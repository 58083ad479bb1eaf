import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const integrationRoutes: RouteObject[] = [
  page({
    path: '/settings/integrations',
    title: 'integrations:title',
    namespaces: ['integrations', 'sendernames'],
    load: async () => ({ Component: (await import('./integrations-page.tsx')).IntegrationsPage }),
    prepare: async () => (await import('./integrations-page.tsx')).prepare(),
  }),
];
