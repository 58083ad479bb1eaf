import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const templateRoutes: RouteObject[] = [
  page({
    path: '/messages/templates',
    title: 'templates:title',
    can: 'templates.get',
    // The meter and the picker of senders speak with the words of their own pages.
    namespaces: ['templates', 'send', 'sendernames'],
    load: async () => ({ Component: (await import('./templates-page.tsx')).TemplatesPage }),
  }),
];
