import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const bulkRoutes: RouteObject[] = [
  page({
    path: '/messages/tasks/:id',
    title: 'bulk:title',
    namespaces: ['bulk', 'tasks', 'sendings', 'sendernames', 'send', 'reports'],
    load: async () => ({ Component: (await import('./bulk-page.tsx')).BulkPage }),
  }),
];
