import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const notificationRoutes: RouteObject[] = [
  page({
    path: '/notifications',
    title: 'notifications:title',
    can: 'billings.find',
    namespaces: ['notifications'],
    load: async () => ({ Component: (await import('./notifications-page.tsx')).NotificationsPage }),
  }),
];
