import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const outgoingRoutes: RouteObject[] = [
  page({
    path: '/messages/outgoing',
    title: 'sendings:title',
    namespaces: ['sendings', 'sendernames', 'reports'],
    load: async () => ({ Component: (await import('./outgoing-page.tsx')).OutgoingPage }),
  }),
];
