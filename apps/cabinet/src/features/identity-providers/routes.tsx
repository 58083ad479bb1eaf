import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const identityProviderRoutes: RouteObject[] = [
  page({
    path: '/identityProviders',
    title: 'identityProviders:title',
    namespaces: ['identityProviders', 'team', 'users'],
    load: async () => ({
      Component: (await import('./identity-providers-page.tsx')).IdentityProvidersPage,
    }),
  }),
];
