import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const homeRoutes: RouteObject[] = [
  page({
    path: '/',
    title: 'shell:nav.home',
    namespaces: ['home', 'sendings', 'tasks'],
    load: async () => ({ Component: (await import('./home-page.tsx')).HomePage }),
  }),
];
