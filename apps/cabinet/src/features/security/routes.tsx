import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const securityRoutes: RouteObject[] = [
  page({
    path: '/account/security',
    title: 'security:page',
    namespaces: ['security'],
    load: async () => ({ Component: (await import('./security-page.tsx')).SecurityPage }),
  }),
];
