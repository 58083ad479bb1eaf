import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const reportRoutes: RouteObject[] = [
  page({
    path: '/reports',
    title: 'reports:title',
    namespaces: ['reports', 'list'],
    load: async () => ({ Component: (await import('./reports-page.tsx')).ReportsPage }),
  }),
];
