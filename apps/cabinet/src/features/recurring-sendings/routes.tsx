import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const recurringSendingRoutes: RouteObject[] = [
  page({
    path: '/messages/recurring',
    title: 'recurringSendings:title',
    namespaces: ['recurringSendings'],
    load: async () => ({
      Component: (await import('./recurring-sendings-page.tsx')).RecurringSendingsPage,
    }),
  }),
];
