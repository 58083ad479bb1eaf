import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const analyticsRoutes: RouteObject[] = [
  page({
    path: '/analytics',
    title: 'analytics:title',
    namespaces: ['analytics', 'list'],
    load: async () => ({ Component: (await import('./analytics-page.tsx')).AnalyticsPage }),
  }),
];
