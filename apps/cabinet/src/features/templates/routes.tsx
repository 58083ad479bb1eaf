import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const templateRoutes: RouteObject[] = [
  page({
    path: '/messages/templates',
    title: 'templates:title',
    namespaces: ['templates', 'sendernames'],
    load: async () => ({ Component: (await import('./templates-page.tsx')).TemplatesPage }),
  }),
];
