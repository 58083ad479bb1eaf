import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the balance page. */
export const paymentRoutes: RouteObject[] = [
  page({
    path: '/balance/payments',
    title: 'payments:title',
    namespaces: ['payments'],
    load: async () => ({ Component: (await import('./payments-page.tsx')).PaymentsPage }),
    prepare: async () => (await import('./payments-page.tsx')).prepare(),
  }),
];
