import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const settingsUserRoutes: RouteObject[] = [
  page({
    path: '/settings/settingsUser',
    title: 'settingsUser:title',
    namespaces: ['settingsUser', 'notificationSettings', 'notifications', 'invoices'],
    load: async () => ({ Component: (await import('./settings-user-page.tsx')).SettingsUserPage }),
  }),
];
