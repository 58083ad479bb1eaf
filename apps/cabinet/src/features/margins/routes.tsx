import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const marginRoutes: RouteObject[] = [
  page({
    path: '/margins',
    title: 'margins:title',
    namespaces: ['margins', 'list'],
    load: async () => ({ Component: (await import('./margins-page.tsx')).MarginsPage }),
  }),
];
