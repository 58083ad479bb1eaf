import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const sendRoutes: RouteObject[] = [
  page({
    path: '/send/:template?',
    title: 'send:title',
    namespaces: ['send', 'sendernames', 'sendings', 'tasks', 'list'],
    load: async () => ({ Component: (await import('./send-page.tsx')).SendPage }),
    prepare: async () => (await import('./send-page.tsx')).prepare(),
  }),
];
