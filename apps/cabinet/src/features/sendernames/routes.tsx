import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const sendernameRoutes: RouteObject[] = [
  page({
    path: '/settings/sendernames',
    title: 'sendernames:title',
    namespaces: ['sendernames'],
    load: async () => ({ Component: (await import('./sendernames-page.tsx')).SendernamesPage }),
  }),
  page({
    path: '/settings/sendernames/queue',
    title: 'sendernames:queue.title',
    namespaces: ['sendernames'],
    load: async () => ({
      Component: (await import('./moderation-queue-page.tsx')).ModerationQueuePage,
    }),
  }),
];
