import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const sendernameRoutes: RouteObject[] = [
  page({
    path: '/settings/sendernames',
    title: 'sendernames:title',
    can: 'sendernames.get',
    namespaces: ['sendernames'],
    load: async () => ({ Component: (await import('./sendernames-page.tsx')).SendernamesPage }),
  }),
  page({
    path: '/settings/sendernames/queue',
    title: 'sendernames:queue.title',
    can: 'sendernames.moderate',
    accept: 'resellerUp',
    namespaces: ['sendernames'],
    load: async () => ({
      Component: (await import('./moderation-queue-page.tsx')).ModerationQueuePage,
    }),
  }),
];
