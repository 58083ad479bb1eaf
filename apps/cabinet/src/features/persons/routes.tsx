import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const personRoutes: RouteObject[] = [
  page({
    path: '/contacts/person/:address',
    title: 'persons:title',
    namespaces: ['persons', 'contactLists', 'sendings', 'suppressions'],
    load: async () => ({ Component: (await import('./person-page.tsx')).PersonPage }),
  }),
];
