import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const wapiRoutes: RouteObject[] = [
  page({
    path: '/settings/wapi',
    title: 'wapi:title',
    can: 'wapi.get',
    namespaces: ['wapi'],
    load: async () => ({ Component: (await import('./wapi-page.tsx')).WapiPage }),
  }),
];
