import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the account page. */
export const teamRoutes: RouteObject[] = [
  page({
    path: '/account/team',
    title: 'team:title',
    namespaces: ['team'],
    load: async () => ({ Component: (await import('./team-page.tsx')).TeamPage }),
  }),
];
