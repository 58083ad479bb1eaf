import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const contactListRoutes: RouteObject[] = [
  page({
    path: '/contacts',
    title: 'contactLists:title',
    can: 'contactLists.get',
    namespaces: ['contactLists'],
    load: async () => ({ Component: (await import('./contact-lists-page.tsx')).ContactListsPage }),
  }),
];
