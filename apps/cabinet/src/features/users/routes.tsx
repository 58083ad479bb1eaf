import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const userRoutes: RouteObject[] = [
  page({
    path: '/users',
    title: 'users:title',
    namespaces: ['users', 'sendernames', 'identity', 'accountGroups', 'monthlyMinimum'],
    load: async () => ({ Component: (await import('./users-page.tsx')).UsersPage }),
  }),
];
