import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const suppressionRoutes: RouteObject[] = [
  page({
    path: '/settings/suppressions',
    title: 'suppressions:title',
    namespaces: ['suppressions'],
    load: async () => ({ Component: (await import('./suppressions-page.tsx')).SuppressionsPage }),
  }),
];
