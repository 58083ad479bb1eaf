import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const taskRoutes: RouteObject[] = [
  page({
    path: '/messages/tasks',
    title: 'tasks:title',
    namespaces: ['tasks', 'sendings'],
    load: async () => ({ Component: (await import('./tasks-page.tsx')).TasksPage }),
  }),
];
