import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const inboundRuleRoutes: RouteObject[] = [
  page({
    path: '/messages/incoming/rules',
    title: 'inboundRules:title',
    namespaces: ['inboundRules'],
    load: async () => ({
      Component: (await import('./inbound-rules-page.tsx')).InboundRulesPage,
    }),
    prepare: async () => (await import('./inbound-rules-page.tsx')).prepare(),
  }),
];
