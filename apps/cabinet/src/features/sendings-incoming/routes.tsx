import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const incomingRoutes: RouteObject[] = [
  page({
    path: '/messages/incoming',
    title: 'incoming:title',
    namespaces: ['incoming'],
    load: async () => ({ Component: (await import('./incoming-page.tsx')).IncomingPage }),
  }),
];
