import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const sendRoutes: RouteObject[] = [
  page({
    path: '/send/:template?',
    title: 'send:title',
    can: 'sendings.generate',
    namespaces: ['send', 'sendernames', 'sendings', 'tasks', 'list'],
    load: async () => ({ Component: (await import('./send/send-page.tsx')).SendPage }),
    prepare: async () => (await import('./send/send-page.tsx')).prepare(),
  }),
];

export const outgoingRoutes: RouteObject[] = [
  page({
    path: '/messages/outgoing',
    title: 'sendings:title',
    can: 'sendings.get',
    namespaces: ['sendings', 'sendernames', 'reports'],
    load: async () => ({ Component: (await import('./outgoing-page.tsx')).OutgoingPage }),
  }),
];

export const conversationRoutes: RouteObject[] = [
  page({
    path: '/messages/conversations',
    title: 'conversations:title',
    can: 'sendingsIncoming.get',
    namespaces: ['conversations', 'incoming', 'sendings', 'send'],
    load: async () => ({
      Component: (await import('./conversations/conversations-page.tsx')).ConversationsPage,
    }),
  }),
];
