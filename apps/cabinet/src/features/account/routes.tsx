import type { RouteObject } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { onNewPath } from '../../core/page.ts';

/** `/account` with its tabs, which the features of the account export. */
export const accountRoutes = (tabs: RouteObject[]): RouteObject[] => [
  {
    path: '/account',
    shouldRevalidate: onNewPath,
    lazy: {
      loader: async () => (await fetched(() => import('./account-entry.ts'))).accountEntry,
      Component: async () => (await fetched(() => import('./account-page.tsx'))).AccountPage,
    },
    children: tabs,
  },
];
