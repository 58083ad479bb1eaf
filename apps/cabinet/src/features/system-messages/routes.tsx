import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** What managers tell their accounts. */
export const systemMessageRoutes: RouteObject[] = [
  page({
    path: '/systemMessages',
    title: 'systemMessages:title',
    namespaces: ['systemMessages', 'notifications'],
    load: async () => ({
      Component: (await import('./system-messages-page.tsx')).SystemMessagesPage,
    }),
  }),
];
