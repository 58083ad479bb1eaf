import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const webhookRoutes: RouteObject[] = [
  page({
    path: '/settings/webhooks',
    title: 'webhooks:title',
    namespaces: ['webhooks'],
    load: async () => ({ Component: (await import('./webhooks-page.tsx')).WebhooksPage }),
  }),
];
