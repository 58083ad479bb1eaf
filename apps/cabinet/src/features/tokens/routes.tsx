import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the account page. */
export const tokenRoutes: RouteObject[] = [
  page({
    path: '/account/tokens',
    title: 'tokens:title',
    namespaces: ['tokens'],
    load: async () => ({ Component: (await import('./tokens-page.tsx')).TokensPage }),
  }),
];
