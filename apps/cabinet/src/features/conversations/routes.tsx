import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const conversationRoutes: RouteObject[] = [
  page({
    path: '/messages/conversations',
    title: 'conversations:title',
    namespaces: ['conversations', 'incoming', 'sendings', 'send'],
    load: async () => ({
      Component: (await import('./conversations-page.tsx')).ConversationsPage,
    }),
  }),
];
