import type { RouteObject } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { onNewPath } from '../../core/page.ts';

/** `/balance` with its tabs, which the features of money export. */
export const balanceRoutes = (tabs: RouteObject[]): RouteObject[] => [
  {
    path: '/balance',
    shouldRevalidate: onNewPath,
    lazy: {
      loader: async () => (await fetched(() => import('./balance-entry.ts'))).balanceEntry,
      Component: async () => (await fetched(() => import('./balance-page.tsx'))).BalancePage,
    },
    children: tabs,
  },
];
