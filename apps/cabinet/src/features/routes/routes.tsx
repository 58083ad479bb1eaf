import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const routeRoutes: RouteObject[] = [
  page({
    path: '/routes',
    title: 'routes:title',
    namespaces: ['routes', 'shareShifts'],
    load: async () => ({ Component: (await import('./routes-page.tsx')).RoutesPage }),
  }),
];
