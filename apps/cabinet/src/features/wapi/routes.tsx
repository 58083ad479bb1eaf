import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const wapiRoutes: RouteObject[] = [
  page({
    path: '/settings/wapi',
    title: 'wapi:title',
    namespaces: ['wapi'],
    load: async () => ({ Component: (await import('./wapi-page.tsx')).WapiPage }),
  }),
];
