import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const sendingRoutes: RouteObject[] = [
  page({
    path: '/send',
    title: 'send:title',
    can: 'sendings.generate',
    namespaces: ['send', 'contactLists', 'sendernames'],
    load: async () => ({ Component: (await import('./send/send-page.tsx')).SendPage }),
  }),
  page({
    path: '/messages/outgoing',
    title: 'sendings:title',
    can: 'sendings.get',
    namespaces: ['sendings'],
    load: async () => ({ Component: (await import('./outgoing-page.tsx')).OutgoingPage }),
  }),
];
