import type { RouteObject } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { onNewPath, page } from '../../core/page.ts';

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

export const profileRoutes: RouteObject[] = [
  page({
    path: '/account/profile',
    title: 'account:profile.title',
    namespaces: ['account', 'identity'],
    load: async () => ({ Component: (await import('./profile-page.tsx')).ProfilePage }),
  }),
];

export const passwordRoutes: RouteObject[] = [
  page({
    path: '/account/password',
    title: 'account:password.title',
    namespaces: ['account', 'security'],
    load: async () => ({ Component: (await import('./password-page.tsx')).PasswordPage }),
  }),
];
