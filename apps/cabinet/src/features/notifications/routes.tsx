import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const notificationRoutes: RouteObject[] = [
  page({
    path: '/notifications',
    title: 'notifications:title',
    namespaces: ['notifications'],
    load: async () => ({ Component: (await import('./notifications-page.tsx')).NotificationsPage }),
  }),
];
